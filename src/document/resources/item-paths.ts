/** The paths of items and collections, and the operations that create, list and replace what they lead to. */

import { groupBy } from '../../base/group-by';
import { memoize } from '../../base/memoize';
import type { Model } from '../../model/document';
import type { Operation } from '../../model/operation';

type Operations = Pick<Model, 'operations'>;

/** `/things` for `/things/{id}/parts`: the template up to the parameter, and without it. */
export interface ItemPath {
  /** `/things/{id}`. */
  readonly item: string;
  /** `/things`. */
  readonly collection: string;
  readonly parameter: string;
}

/** The parameters of a path that follow a name, in their order. */
export const itemPathsOf = (path: string): ItemPath[] => {
  const steps = path.split('/').slice(1);
  return steps.flatMap((step, index) => {
    const parameter = /^\{([^}]+)\}$/.exec(step)?.[1];
    if (parameter === undefined || index === 0) return [];
    const collection = `/${steps.slice(0, index).join('/')}`;
    return [{ item: `${collection}/${step}`, collection, parameter }];
  });
};

/** Spells a name in lower case, without what separates its words. */
export const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** `id` for `{thingId}`, `name` for `{name}`: the longest name that the parameter's ends with. */
export const identityName = (parameter: string, names: Iterable<string>): string | undefined =>
  [...names]
    .filter((name) => plain(name) !== '' && plain(parameter).endsWith(plain(name)))
    .toSorted((one, other) => plain(other).length - plain(one).length)[0];

const operationAt = (
  { operations }: Operations,
  method: Operation['method'],
  path: string,
): Operation | undefined =>
  operations.find(
    (one) =>
      one.method === method &&
      one.path.replace(/\/$/, '') === path &&
      one.invalidReason === undefined,
  );

/** A link that leads to an operation: the response's value for each of its parameters, as a runtime expression. */
interface Link {
  readonly from: Operation;
  readonly to: string | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The links of successes (OAS 3.0.3, Link Object) by the operationId that they lead to. */
const linksIn = memoize(
  (operations: readonly Operation[]): ReadonlyMap<unknown, readonly Link[]> => {
    const links = operations.flatMap((from) =>
      from.responses
        .filter(({ key }) => key.startsWith('2'))
        .flatMap((response) => response.links)
        .map(({ parameters, operationId }) => ({ from, parameters, to: operationId })),
    );
    return groupBy(links, ({ to }) => to);
  },
);

/** The source of a value for a path parameter. */
export interface Creation {
  readonly operation: Operation;
  /** A JSON Pointer into the response's body; undefined: the property is found by its name. */
  readonly pointer: string | undefined;
}

const bodyPointer = (expression: unknown): string | undefined =>
  typeof expression === 'string' ? /^\$response\.body#(\/.*)$/.exec(expression)?.[1] : undefined;

/** The operation whose success names what the parameter takes: by a link, else POST at the collection. */
export const creationOf = (
  document: Operations,
  { item, collection, parameter }: ItemPath,
): Creation | undefined => {
  const links = linksIn(document.operations);
  const targets = document.operations.filter(({ path }) => path.startsWith(item));
  const leading = targets.flatMap(({ operationId }) => links.get(operationId) ?? []);
  for (const { from, parameters } of leading) {
    const pointer = bodyPointer(parameters[parameter] ?? parameters[`path.${parameter}`]);
    if (pointer !== undefined && from.method === 'post') return { operation: from, pointer };
  }
  const post = operationAt(document, 'post', collection);
  return post && { operation: post, pointer: undefined };
};

/** The list that names what the parameter takes. */
export const listingOf = (document: Operations, { collection }: ItemPath): Operation | undefined =>
  operationAt(document, 'get', collection);

/** The item path whose resource an operation at the collection replaces by the identity in its body. */
export const replacedAt = (
  { operations }: Operations,
  { path, method }: Operation,
): ItemPath | undefined => {
  if (method !== 'put' && method !== 'patch') return undefined;
  const items = operations.flatMap((one) => itemPathsOf(one.path));
  return (
    itemPathsOf(path).find(({ item }) => item === path) ??
    items.find(({ collection }) => collection === path)
  );
};
