/** Finds the operations of a path: by a tree of path segments, in time that does not grow with the number of operations. */

import { acceptQuery } from '../../base/media-type';
import { emptyRecord } from '../../base/plain-object';
import { normalPath } from '../../base/text/normal-path';
import { templateLiterals, templateNames } from '../../document/read/templates';
import type { AllowHeaders } from '../../http/http-error';
import { type Operation, requestMethod } from '../../model/operation';

/** The target of a path. */
export interface Route {
  /** By their methods, as requests spell them. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** The headers that say what these take. */
  readonly allowed: AllowHeaders;
  /** Template names to the still percent-encoded text of the path; beside literal text in a segment it is in its one spelling. */
  readonly path: Readonly<Record<string, string>>;
}

/** A segment that holds more than one name or text around it, such as `{id}:clone`. */
interface MixedBranch {
  /** The texts before, between and behind the names, in their one spelling. */
  readonly literals: readonly string[];
  readonly node: Node;
}

interface Node {
  readonly fixed: Map<string, Node>;
  readonly mixed: MixedBranch[];
  /** A segment that is one name alone. */
  any: Node | undefined;
  end: PathEnd | undefined;
}

/** A template that ends at a node, its operations, and its names in order. */
interface PathEnd {
  readonly template: string;
  readonly operations: Map<string, Operation>;
  readonly names: readonly string[];
  allowed: AllowHeaders;
}

const emptyNode = (): Node => ({ fixed: new Map(), mixed: [], any: undefined, end: undefined });

const lengthOf = ({ literals }: MixedBranch): number => literals.join('').length;

/** Returns the branch of a segment, which is added where there is none; of the mixed ones, those with most literal text come first. */
const branchFor = (node: Node, segment: string): Node => {
  const literals = templateLiterals(segment);
  const key = literals.join('?');
  if (key === '?') {
    node.any ??= emptyNode();
    return node.any;
  }
  if (literals.length === 1) {
    const next = node.fixed.get(key) ?? emptyNode();
    node.fixed.set(key, next);
    return next;
  }
  const known = node.mixed.find((branch) => branch.literals.join('?') === key);
  if (known !== undefined) return known.node;
  const branch: MixedBranch = { literals, node: emptyNode() };
  node.mixed.push(branch);
  node.mixed.sort((one, other) => lengthOf(other) - lengthOf(one));
  return branch.node;
};

/** Makes the headers that say what the operations of one path take (RFC 9110 section 10.2.1). */
export const allowHeaders = (operations: Iterable<Operation>): AllowHeaders => {
  const all = [...operations];
  const methods = all.map(({ method }) => requestMethod(method));
  const implied = methods.includes('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS'];
  const query = all.find(({ method }) => method === 'query')?.requestBody;
  return {
    Allow: [...new Set([...methods, ...implied])].sort().join(', '),
    ...acceptQuery(query?.content.map(({ key }) => key)),
  };
};

const addOperation = (root: Node, operation: Operation): void => {
  const { path, method } = operation;
  const node = path.slice(1).split('/').reduce(branchFor, root);
  node.end ??= {
    template: path,
    operations: new Map(),
    names: templateNames(path),
    allowed: allowHeaders([]),
  };
  const { end } = node;
  if (end.template !== path) return;
  end.operations.set(requestMethod(method), operation);
  end.allowed = allowHeaders(end.operations.values());
};

const routeTo = ({ operations, allowed, names }: PathEnd, texts: readonly string[]): Route => {
  const path = emptyRecord<string>();
  names.forEach((name, index) => {
    path[name] = texts[index] ?? '';
  });
  return { operations, allowed, path };
};

/**
 * Finds the values of the names of a segment, one character each at least; undefined where it does not match. Each literal
 * is taken at its last place, the first one at the beginning: if any places fit, these do. So `{name}.{ending}` has the ending of
 * `a.b.json` behind the last dot, there is no backtracking, and the time is in proportion to the segment.
 */
const namedTexts = (literals: readonly string[], segment: string): string[] | undefined => {
  const last = literals.at(-1) ?? '';
  if (!segment.endsWith(last)) return undefined;
  const texts: string[] = [];
  let end = segment.length - last.length;
  for (let index = literals.length - 2; index >= 0; index -= 1) {
    const literal = literals[index] ?? '';
    const at = index === 0 ? 0 : segment.lastIndexOf(literal, end - 1 - literal.length);
    const from = at + literal.length;
    if (at < 0 || from >= end || !segment.startsWith(literal, at)) return undefined;
    texts.unshift(segment.slice(from, end));
    end = at;
  }
  return texts;
};

const searchMixed = (
  { mixed }: Node,
  segment: string,
  path: string,
  from: number,
  texts: readonly string[],
): Route | undefined => {
  for (const { literals, node } of mixed) {
    const named = namedTexts(literals, segment);
    const found = named && search(node, path, from, [...texts, ...named]);
    if (found) return found;
  }
  return undefined;
};

/**
 * Searches from the character `from`, where a segment begins; beyond the end no segment is left. Concrete segments win over
 * templated ones (OAS 3.0.3, Path Templating Matching).
 * @param texts the values of the names so far, in order
 */
const search = (
  node: Node,
  path: string,
  from: number,
  texts: readonly string[],
): Route | undefined => {
  if (from > path.length) return node.end && routeTo(node.end, texts);
  const slash = path.indexOf('/', from);
  const end = slash < 0 ? path.length : slash;
  const segment = path.slice(from, end);
  const spelled = normalPath(segment);
  const fixed = node.fixed.get(spelled);
  const concrete = fixed && search(fixed, path, end + 1, texts);
  // A name stands for one character at least.
  if (concrete !== undefined || segment === '') return concrete;
  const mixed = searchMixed(node, spelled, path, end + 1, texts);
  return mixed ?? (node.any && search(node.any, path, end + 1, [...texts, segment]));
};

/**
 * Builds the table once; of identical templates the first is served.
 * @returns the route of a raw path (no query) relative to the base path; undefined where no template matches
 * @example routeTable(document.operations)('/items/7')?.operations.get('GET')
 */
export const routeTable = (
  operations: readonly Operation[],
): ((path: string) => Route | undefined) => {
  const root = emptyNode();
  for (const operation of operations) addOperation(root, operation);
  return (path) => (path.startsWith('/') ? search(root, path, 1, []) : undefined);
};
