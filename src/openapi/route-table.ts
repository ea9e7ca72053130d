/** Finds the operation of a path in time that does not grow with the number of operations: a tree of path segments. */

import type { Method, Operation } from './operation';

/** What a path leads to. */
export interface Route {
  readonly operations: ReadonlyMap<string, Operation>;
  /** Template names to the raw, still percent-encoded text of the path. */
  readonly path: Readonly<Record<string, string>>;
}

/** Finds the route of a raw path (no query) relative to the base path; undefined where no template matches. */
export type FindRoute = (path: string) => Route | undefined;

/** A segment that holds more than one name or text around it, such as `{id}:clone`. */
interface MixedBranch {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly literalLength: number;
  readonly node: Node;
}

interface Node {
  readonly fixed: Map<string, Node>;
  readonly mixed: MixedBranch[];
  /** A segment that is one name alone. */
  any: { readonly node: Node } | undefined;
  /** The template that ends here, its operations, and its names in order. */
  end:
    | {
        readonly template: string;
        readonly operations: Map<Method, Operation>;
        readonly names: readonly string[];
      }
    | undefined;
}

const emptyNode = (): Node => ({ fixed: new Map(), mixed: [], any: undefined, end: undefined });

/** Percent-encoding of a fixed segment has no meaning of its own (RFC 3986 section 6.2.2.2). */
const decodeSegment = (segment: string): string => {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const escapeText = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const mixedBranch = (node: Node, segment: string): Node => {
  const source = segment
    .split(/(\{[^{}]+\})/)
    .map((part) => (/^\{.+\}$/.test(part) ? '(.+?)' : escapeText(part)))
    .join('');
  const pattern = new RegExp(`^${source}$`);
  const known = node.mixed.find((branch) => branch.pattern.source === pattern.source);
  if (known !== undefined) return known.node;
  const names = [...segment.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
  const literalLength = segment.replaceAll(/\{[^{}]+\}/g, '').length;
  const branch: MixedBranch = { pattern, names, literalLength, node: emptyNode() };
  node.mixed.push(branch);
  node.mixed.sort((one, other) => other.literalLength - one.literalLength);
  return branch.node;
};

const branchFor = (node: Node, segment: string): Node => {
  if (/^\{[^{}]+\}$/.test(segment)) {
    node.any ??= { node: emptyNode() };
    return node.any.node;
  }
  if (segment.includes('{')) return mixedBranch(node, segment);
  const key = decodeSegment(segment);
  const next = node.fixed.get(key) ?? emptyNode();
  node.fixed.set(key, next);
  return next;
};

const addOperation = (root: Node, operation: Operation): void => {
  const end = operation.path.slice(1).split('/').reduce(branchFor, root);
  const names = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
  end.end ??= { template: operation.path, operations: new Map(), names };
  if (end.end.template === operation.path) end.end.operations.set(operation.method, operation);
};

interface Way {
  readonly node: Node;
  readonly texts: readonly string[];
}

interface Found {
  readonly end: NonNullable<Node['end']>;
  readonly texts: readonly string[];
}

/** Where a segment may lead, best first: concrete segments win over templated ones (OAS 3.0.3, Path Templating Matching). */
const ways = (node: Node, segment: string): Way[] => {
  const found: Way[] = [];
  const fixed = node.fixed.get(decodeSegment(segment));
  if (fixed !== undefined) found.push({ node: fixed, texts: [] });
  // A name stands for one character at least.
  if (segment === '') return found;
  for (const branch of node.mixed) {
    const match = branch.pattern.exec(segment);
    if (match !== null) found.push({ node: branch.node, texts: match.slice(1) });
  }
  if (node.any !== undefined) found.push({ node: node.any.node, texts: [segment] });
  return found;
};

const search = (
  node: Node,
  segments: readonly string[],
  index: number,
  texts: readonly string[],
): Found | undefined => {
  const segment = segments[index];
  if (segment === undefined) return node.end === undefined ? undefined : { end: node.end, texts };
  for (const way of ways(node, segment)) {
    const found = search(way.node, segments, index + 1, [...texts, ...way.texts]);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** No path that a template could match is longer. */
const longestPath = (operations: readonly Operation[]): number =>
  Math.max(0, ...operations.map((operation) => operation.path.split('/').length));

/** Builds the table once; of identical templates the first is served. */
export const routeTable = (operations: readonly Operation[]): FindRoute => {
  const root = emptyNode();
  for (const operation of operations) addOperation(root, operation);
  const most = longestPath(operations);
  return (path) => {
    if (!path.startsWith('/')) return undefined;
    const segments = path.slice(1).split('/', most + 1);
    if (segments.length > most) return undefined;
    const found = search(root, segments, 0, []);
    if (found === undefined) return undefined;
    const values: Record<string, string> = Object.create(null);
    found.end.names.forEach((name, index) => {
      values[name] = found.texts[index] ?? '';
    });
    return { operations: found.end.operations, path: values };
  };
};
