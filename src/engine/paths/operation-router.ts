/**
 * Routes requests: openapi-backend finds the handler of an operation and calls it, or what is registered for requests without one. In
 * place of its router, which goes through all operations for each request, it has one that asks the table of paths (decision 0003).
 */

import type {
  Context,
  Document,
  ParsedRequest,
  Request,
  Operation as RoutedOperation,
} from 'openapi-backend';
import { acceptQuery } from '../../base/media-type';
import { lazy } from '../../base/memoize';
import { emptyRecord } from '../../base/plain-object';
import { normalPath } from '../../base/text/normal-path';
import type { LoadedDocument } from '../../document/document';
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
  for (const branch of node.mixed) {
    const named = namedTexts(branch.literals, spelled);
    const found = named && search(branch.node, path, end + 1, [...texts, ...named]);
    if (found) return found;
  }
  return node.any && search(node.any, path, end + 1, [...texts, segment]);
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
  for (const operation of operations) {
    const { path, method } = operation;
    const node = path.slice(1).split('/').reduce(branchFor, root);
    node.end ??= {
      template: path,
      operations: new Map(),
      names: templateNames(path),
      allowed: allowHeaders([]),
    };
    const { end } = node;
    if (end.template !== path) continue;
    end.operations.set(requestMethod(method), operation);
    end.allowed = allowHeaders(end.operations.values());
  }
  return (path) => (path.startsWith('/') ? search(root, path, 1, []) : undefined);
};

/** An operation that a request has reached. */
export interface Match<Handler> {
  readonly operation: Operation;
  /** The raw texts of the path template's names. */
  readonly path: Route['path'];
  /** Undefined where the operation has none. */
  readonly handler: Handler | undefined;
}

/** Finds the handler of each operation; where two operations have one id, the first one has it. */
export const handlersByOperation = <Handler>(
  operations: readonly Operation[],
  handlers: ReadonlyMap<string, Handler>,
): ReadonlyMap<Operation, Handler> => {
  const first = new Map(
    operations.toReversed().map((operation) => [operation.operationId, operation]),
  );
  const found = [...first].flatMap(([operationId, operation]) => {
    const handler = handlers.get(operationId);
    return handler === undefined ? [] : [[operation, handler] as const];
  });
  return new Map(found);
};

/** Names operations as openapi-backend needs it: each by a name of its own, and none by one that means something else to it. */
const uniqueNames = (
  operations: readonly Operation[],
  reserved: readonly string[],
): ReadonlyMap<string, Operation> => {
  const taken = new Set(reserved);
  return new Map(
    operations.map((operation) => {
      let name = operation.operationId;
      while (taken.has(name)) name += ' ';
      taken.add(name);
      return [name, operation];
    }),
  );
};

/** The request as openapi-backend hands it on; the router adds the texts of its path. */
interface RoutedRequest extends Request {
  params: Route['path'];
}

const noTexts: Route['path'] = emptyRecord<string>();

// openapi-backend tells the two by the beginning of the message. Made once: the stack of an error costs more than a look-up.
const notFound = new Error('404-notFound');
const methodNotAllowed = new Error('405-methodNotAllowed');

/** Loads openapi-backend, which takes a while, and which what only reads documents does not need. */
const backend = lazy(() => {
  const { OpenAPIBackend, OpenAPIRouter } =
    require('openapi-backend') as typeof import('openapi-backend');

  /** A router that finds operations by the table of paths, and leaves reading the request to the engine. */
  class TableRouter extends OpenAPIRouter<Document> {
    readonly #routeAt: (path: string) => Route | undefined;
    readonly #routed: ReadonlyMap<Operation, RoutedOperation>;
    readonly #named: ReadonlyMap<string, RoutedOperation>;

    constructor(definition: Document, operations: ReadonlyMap<string, Operation>) {
      super({ definition });
      this.#routeAt = routeTable([...operations.values()]);
      // Security is the engine's own.
      this.#routed = new Map(
        [...operations].map(([operationId, operation]) => {
          const { path, method } = operation;
          return [operation, { operationId, path, method, responses: {}, security: [] }];
        }),
      );
      this.#named = new Map(
        [...this.#routed.values()].map((routed) => [routed.operationId ?? '', routed]),
      );
    }

    override matchOperation(request: Request): RoutedOperation {
      const { method, path } = request;
      const route = this.#routeAt(path);
      if (route === undefined) throw notFound;
      const { operations } = route;
      // GET answers HEAD (RFC 9110 section 9.3.2).
      const operation =
        operations.get(method) ?? (method === 'HEAD' ? operations.get('GET') : undefined);
      const routed = operation && this.#routed.get(operation);
      if (routed === undefined) throw methodNotAllowed;
      (request as RoutedRequest).params = route.path;
      return routed;
    }

    allowedAt(path: string): AllowHeaders {
      return this.#routeAt(path)?.allowed ?? { Allow: '' };
    }

    override getOperation(operationId: string): RoutedOperation | undefined {
      return this.#named.get(operationId);
    }

    override parseRequest(request: Request): ParsedRequest {
      return request as ParsedRequest;
    }
  }

  return { OpenAPIBackend, TableRouter };
});

/**
 * Makes the router of a document's operations, which calls the target of each request.
 * @param handlers those of operations
 * @returns routes a request: its method as it was sent (case matters), and its path, raw, relative to the base path, without the query
 */
export const operationRouter = <Handler, Work, Result>(
  { definition, operations }: Pick<LoadedDocument, 'definition' | 'operations'>,
  handlers: ReadonlyMap<Operation, Handler>,
  targets: {
    operation(work: Work, match: Match<Handler>): Promise<Result> | Result;
    notFound(work: Work): Promise<Result> | Result;
    methodNotAllowed(work: Work, allowed: AllowHeaders): Promise<Result> | Result;
  },
): ((method: string, path: string, work: Work) => Promise<Result>) => {
  const { OpenAPIBackend, TableRouter } = backend();
  const api = new OpenAPIBackend<Document>({ definition, quick: true, validate: false });
  const named = uniqueNames(operations, api.allowedHandlers);
  const router = new TableRouter(definition, named);
  // Its own `init` would go through the whole document once more.
  Object.assign(api, { definition, router, handlers: emptyRecord(), initialized: true });
  type Target = (context: Context, work: Work) => Promise<Result> | Result;
  for (const [name, operation] of named) {
    const handler = handlers.get(operation);
    if (handler === undefined) continue;
    api.register<Target>(name, ({ request: { params } }, work) =>
      targets.operation(work, { operation, path: params, handler }),
    );
  }
  api.register<Target>('notImplemented', ({ operation: { operationId }, request }, work) => {
    const operation = named.get(operationId ?? '');
    if (operation === undefined) throw new Error(`No operation is called ${operationId}`);
    return targets.operation(work, { operation, path: request.params, handler: undefined });
  });
  api.register<Target>('notFound', (_, work) => targets.notFound(work));
  api.register<Target>('methodNotAllowed', ({ request: { path } }, work) =>
    targets.methodNotAllowed(work, router.allowedAt(path)),
  );
  return (method, path, work) => {
    const request: RoutedRequest = { method, path, headers: {}, params: noTexts };
    return api.handleRequest(request, work);
  };
};
