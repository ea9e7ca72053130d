/**
 * The paths of items and collections, the operations that create, list and replace what they lead to, and the field
 * `x-spec-first-resource`, by which a document says what paths and methods do not tell of a resource.
 */

import { groupBy } from '../../base/group-by';
import { memoize } from '../../base/memoize';
import { isPlainObject } from '../../base/plain-object';
import type { Model } from '../../model/document';
import type { Operation } from '../../model/operation';

/** The roles that an operation may have for a resource. */
export const roles = ['list', 'create', 'read', 'replace', 'patch', 'delete'] as const;

/** A role of an operation: `replace` and `patch` change an item as PUT and PATCH do. */
export type Role = (typeof roles)[number];

/** The parts of the field; what is left out is inferred. */
export interface ResourceField {
  readonly name?: string;
  readonly role?: Role;
  /** The property that names an item. */
  readonly identity?: string;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const advice = 'Write false, or an object with `name`, `role` and `identity`, or some of them.';

const members: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: isText,
  role: (value) => roles.some((role) => role === value),
  identity: isText,
};

/** Reads the field: what it says, false for an operation of no resource, or the error that it has, in sentences. */
export const readResourceField = (value: unknown): ResourceField | false | Error => {
  if (value === false || value === undefined) return value ?? {};
  if (!isPlainObject(value)) return new Error(`This is no description of a resource. ${advice}`);
  const other = Object.keys(value).find((key) => !Object.hasOwn(members, key));
  if (other !== undefined) return new Error(`A resource has no member \`${other}\`. ${advice}`);
  const wrong = Object.keys(value).find((key) => members[key]?.(value[key]) === false);
  if (wrong !== undefined) {
    const expected = wrong === 'role' ? `one of ${roles.join(', ')}` : 'a text';
    return new Error(`The \`${wrong}\` of the resource is wrong. Write ${expected}.`);
  }
  return value;
};

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

const operationAt = ({ operations }: Operations, method: Operation['method'], path: string) =>
  operations.find(
    (operation) =>
      operation.method === method &&
      operation.path.replace(/\/$/, '') === path &&
      operation.invalidReason === undefined,
  );

/** The links of successes (OAS 3.0.3, Link Object) by the operationId that they lead to. */
const linksIn = memoize((operations: readonly Operation[]) => {
  const links = operations.flatMap((from) =>
    from.responses
      .filter(({ key }) => key.startsWith('2'))
      .flatMap((response) => response.links)
      .map(({ parameters, operationId }) => ({ from, parameters, to: operationId })),
  );
  return groupBy(links, ({ to }) => to);
});

/** The source of a value for a path parameter. */
export interface Creation {
  readonly operation: Operation;
  /** A JSON Pointer into the response's body; undefined: the property is found by its name. */
  readonly pointer: string | undefined;
}

/** The operation whose success names what the parameter takes: by a link, else POST at the collection. */
export const creationOf = (
  document: Operations,
  { item, collection, parameter }: ItemPath,
): Creation | undefined => {
  const links = linksIn(document.operations);
  const targets = document.operations.filter(({ path }) => path.startsWith(item));
  const leading = targets.flatMap(({ operationId }) => links.get(operationId) ?? []);
  for (const { from, parameters } of leading) {
    const expression = parameters[parameter] ?? parameters[`path.${parameter}`];
    const pointer = /^\$response\.body#(\/.*)$/.exec(String(expression))?.[1];
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
  const items = operations.flatMap((operation) => itemPathsOf(operation.path));
  return (
    itemPathsOf(path).find(({ item }) => item === path) ??
    items.find(({ collection }) => collection === path)
  );
};
