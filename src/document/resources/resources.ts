/**
 * The resources that the paths of a document describe, inferred from the model alone: collections such as `/things` and their items
 * `/things/{id}`, with the property that names an item and the role of each operation.
 */

import { groupBy } from '../../base/group-by';
import type { Model } from '../../model/document';
import type { MediaType, Operation } from '../../model/operation';
import type { Schema } from '../../model/schema';
import type { Shape, ShapeOf } from '../../schema/shape';
import { bodyFormOf, innermost, type SoughtItems, singular } from './body-forms';
import {
  creationOf,
  type ItemPath,
  identityName,
  itemPathsOf,
  plain,
  type ResourceField,
  type Role,
  readResourceField,
} from './item-paths';

/** A path parameter whose value a property of the items holds. */
export interface Owner {
  readonly parameter: string;
  readonly property: string;
}

/** An operation and its role. */
export interface ResourceOperation {
  readonly operation: Operation;
  readonly role: Role;
  /** The items above that the operation's path names, where the items below hold their identities. */
  readonly owners: readonly Owner[];
  /** True where the path leads through the items of another resource, such as `/users/{id}/posts` for `/posts`. */
  readonly isNested: boolean;
}

/** A kind of items, and the operations on them. */
export interface Resource extends ItemPath {
  /** As the collection's path ends: `things`. */
  readonly name: string;
  /** The property that names an item. */
  readonly identity: string;
  /** The schema of an item. */
  readonly schema: Schema;
  readonly operations: readonly ResourceOperation[];
}

/** Writes a path template without the names of its parameters, and without a slash at its end. */
export const templateOf = (path: string): string =>
  path.replace(/\/$/, '').replaceAll(/\{[^}]*\}/g, '{}');

const fieldOf = ({ resource }: Operation): ResourceField | undefined => {
  const field = readResourceField(resource?.value);
  return field === false || field instanceof Error ? undefined : field;
};

const holdsScalars = ({ type }: Shape): boolean => ['string', 'integer', 'number'].includes(type);

/** Finds the property that names an item; undefined where none does. */
const identityOf = ({ properties }: Shape, { parameter }: ItemPath, name: string) => {
  const names = [...properties].filter(([, shape]) => holdsScalars(shape)).map(([key]) => key);
  const full = plain(singular(name) + parameter);
  return (
    identityName(parameter, names) ??
    names.find((key) => plain(key) === full) ??
    names.find((key) => key === 'id')
  );
};

const successContents = ({ responses }: Operation): readonly MediaType[] =>
  responses.filter(({ key }) => /^2|^default$/.test(key)).flatMap(({ content }) => content);

const lastStep = (template: string): string => template.slice(template.lastIndexOf('/') + 1);

/** Sorts operations by their paths. */
const indexOf = (all: readonly Operation[]) => ({
  all,
  at: groupBy(all, ({ path }) => templateOf(path)),
  under: groupBy(all, ({ path }) => templateOf(path).replace(/\/[^/]*$/, '')),
  ending: groupBy(all, ({ path }) => lastStep(templateOf(path))),
  /** By the name of the resource that they say to belong to. */
  named: groupBy(all, (operation) => fieldOf(operation)?.name),
});

type PathIndex = ReturnType<typeof indexOf>;

const itemsHeldBy = (contents: readonly MediaType[], items: SoughtItems, shapeOf: ShapeOf) =>
  contents
    .flatMap(({ schema }) => (schema && bodyFormOf(schema, items, shapeOf)) ?? [])
    .map(innermost);

/** A resource before the roles of its operations are known. */
class Draft implements SoughtItems {
  readonly resource: Omit<Resource, 'operations'>;
  readonly shape: Shape;
  /** The operation that creates items, by a link or at the collection; undefined below other items, which it does not name. */
  readonly linked: Operation | undefined;
  readonly #shapeOf: ShapeOf;

  constructor(resource: Draft['resource'], linked: Draft['linked'], shapeOf: ShapeOf) {
    this.resource = resource;
    this.shape = shapeOf(resource.schema);
    this.linked = linked;
    this.#shapeOf = shapeOf;
  }

  get name(): string {
    return this.resource.name;
  }

  get component(): string | undefined {
    return this.shape.component;
  }

  isItem({ properties }: Shape): boolean {
    return properties.has(this.resource.identity);
  }

  heldBy(contents: readonly MediaType[]): ReturnType<typeof itemsHeldBy> {
    return itemsHeldBy(contents, this, this.#shapeOf);
  }

  /** Tells whether a body of the operation has members that items have. */
  takesItem({ requestBody }: Operation): boolean {
    return (requestBody?.content ?? []).some(({ schema }) => {
      if (schema === undefined) return false;
      const shape = this.#shapeOf(schema);
      if (shape.type === 'array') return false;
      const isEnvelope = bodyFormOf(schema, this, this.#shapeOf) !== undefined;
      return (
        isEnvelope || [...shape.properties.keys()].some((key) => this.shape.properties.has(key))
      );
    });
  }

  /** Tells whether a body of the operation is a list, such as a JSON Patch (RFC 6902). */
  takesList({ requestBody }: Operation): boolean {
    return (requestBody?.content ?? []).some(
      ({ schema }) => schema && this.#shapeOf(schema).type === 'array',
    );
  }
}

const draftOf = (path: ItemPath, index: PathIndex, shapeOf: ShapeOf): Draft | undefined => {
  const [own, others] = [path.item, path.collection].map(
    (template) => index.at.get(templateOf(template)) ?? [],
  );
  if (own === undefined || others === undefined) return undefined;
  const declared = (key: 'name' | 'identity') =>
    own.map((one) => fieldOf(one)?.[key]).find((one) => one !== undefined);
  const name =
    declared('name') ?? path.collection.split('/').findLast((step) => !step.startsWith('{')) ?? '';
  const creation = creationOf({ operations: index.all }, path);
  const linked = creation?.pointer && lastStep(creation.pointer);
  const identityIn = (shape: Shape) => {
    const has = (key: string | undefined) => key !== undefined && shape.properties.has(key);
    const [told] = [declared('identity'), linked].filter(has);
    return told ?? (declared('identity') ? undefined : identityOf(shape, path, name));
  };
  const ofMethod = (list: readonly Operation[], ...methods: Operation['method'][]) =>
    methods.flatMap((method) => list.filter((operation) => operation.method === method));
  const asked = [...ofMethod(own, 'put', 'patch'), ...ofMethod(others, 'post', 'put')];
  // Best first: what reading an item answers shows all of it.
  const contents = [
    ...ofMethod(own, 'get', 'put', 'patch').flatMap(successContents),
    ...ofMethod(others, 'get', 'query', 'post', 'put').flatMap(successContents),
    ...asked.flatMap(({ requestBody }) => requestBody?.content ?? []),
  ];
  const isItem = (shape: Shape): boolean => identityIn(shape) !== undefined;
  const [found] = itemsHeldBy(contents, { name, component: undefined, isItem }, shapeOf);
  const identity = found && identityIn(shapeOf(found.schema));
  if (found === undefined || identity === undefined) return undefined;
  const resource = { ...path, name, identity, schema: found.schema };
  const creates = path.collection.includes('{') ? undefined : creation?.operation;
  return new Draft(resource, creates, shapeOf);
};

const answers = (operation: Operation, draft: Draft): 'item' | 'list' | undefined =>
  draft.heldBy(successContents(operation))[0]?.kind;

/** Tells whether a POST at an item changes it: it takes members of items alone, perhaps by its query, and answers nothing else. */
const isPostedPatch = (operation: Operation, draft: Draft): boolean => {
  const queried = operation.parameters.filter((parameter) => parameter.in === 'query');
  const isMember = ({ name }: { readonly name: string }) => draft.shape.properties.has(name);
  const answersOther =
    successContents(operation).length > 0 && answers(operation, draft) !== 'item';
  if (answersOther || !queried.every(isMember)) return false;
  return operation.requestBody === undefined ? queried.length > 0 : draft.takesItem(operation);
};

const itemRole = (operation: Operation, draft: Draft): Role | undefined => {
  switch (operation.method) {
    case 'get':
      return answers(operation, draft) === 'item' ? 'read' : undefined;
    case 'delete':
      return 'delete';
    case 'put':
      return draft.takesItem(operation) ? 'replace' : undefined;
    case 'patch':
      return draft.takesItem(operation) || draft.takesList(operation) ? 'patch' : undefined;
    case 'post':
      return isPostedPatch(operation, draft) ? 'patch' : undefined;
    default:
      return undefined;
  }
};

const namesItem = ({ requestBody }: Operation, draft: Draft): boolean =>
  draft.heldBy(requestBody?.content ?? [])[0]?.kind === 'item';

const collectionRole = (operation: Operation, draft: Draft): Role | undefined => {
  const isCreation = () =>
    operation.requestBody ? draft.takesItem(operation) : answers(operation, draft) === 'item';
  switch (operation.method) {
    case 'get':
    case 'query':
      return answers(operation, draft) === 'list' ? 'list' : undefined;
    case 'post':
      return isCreation() ? 'create' : undefined;
    case 'put':
      return namesItem(operation, draft) ? 'replace' : undefined;
    case 'patch':
      return namesItem(operation, draft) ? 'patch' : undefined;
    default:
      return undefined;
  }
};

/** Lists the parameters of a path that properties of the items hold. */
const ownersOf = (path: string, { shape, resource: { item } }: Draft): Owner[] =>
  itemPathsOf(path)
    .filter((above) => templateOf(above.item) !== templateOf(item))
    .flatMap(({ parameter, collection }) => {
      const kind = singular(collection.split('/').at(-1) ?? '');
      const names = [parameter, kind + parameter, `${kind}Id`].map(plain);
      const found = [...shape.properties].find(
        ([name, inner]) =>
          holdsScalars(inner) && names.includes(plain(name)) && plain(name) !== 'id',
      );
      return found === undefined ? [] : [{ parameter, property: found[0] }];
    });

/** Finds the role of an operation at another path: it lists some of the items, or those below an item of another resource. */
const distantRole = (operation: Operation, draft: Draft, shapeOf: ShapeOf): Role | undefined => {
  const role = collectionRole(operation, draft);
  if (role === 'create' && operation === draft.linked) return role;
  if (role === 'replace' || role === 'patch') return undefined;
  if (role === undefined || draft.component === undefined) return undefined;
  const { path, requestBody } = operation;
  const held = draft.heldBy([...successContents(operation), ...(requestBody?.content ?? [])]);
  if (!held.some(({ schema }) => shapeOf(schema).component === draft.component)) return undefined;
  const template = templateOf(path);
  const collection = templateOf(draft.resource.collection);
  const isWithin = template.startsWith(`${collection}/`);
  if (isWithin && !template.slice(collection.length).includes('{')) {
    return role === 'list' ? role : undefined;
  }
  // A collection of the same name below an item that the items belong to.
  const isBelow = !collection.includes('{') && template.endsWith(`/${draft.name}`);
  return isBelow && ownersOf(path, draft).length > 0 ? role : undefined;
};

const resourceOf = (draft: Draft, { at, under, ending, named }: PathIndex, shapeOf: ShapeOf) => {
  const { name, item, collection } = draft.resource;
  const base = templateOf(collection);
  const own = [collection, item].flatMap((path) => at.get(templateOf(path)) ?? []);
  const distant = [
    ...(draft.linked === undefined ? [] : [draft.linked]),
    ...(under.get(base) ?? []),
    ...(ending.get(name) ?? []),
  ];
  const inferredRole = (operation: Operation): Role | undefined => {
    const template = templateOf(operation.path);
    if (template === templateOf(item)) return itemRole(operation, draft);
    if (template === base) return collectionRole(operation, draft);
    // The collection of another resource has its own items.
    if (at.has(`${template}/{}`) || template.endsWith('}')) return undefined;
    return distantRole(operation, draft, shapeOf);
  };
  const candidates = new Set([...own, ...distant, ...(named.get(name) ?? [])]);
  const operations = [...candidates].flatMap((operation) => {
    const field = fieldOf(operation);
    if (![undefined, name].includes(field?.name)) return [];
    const inferred = inferredRole(operation);
    const isMine = inferred !== undefined || own.includes(operation) || field?.name === name;
    const role = isMine ? (field?.role ?? inferred) : undefined;
    if (role === undefined) return [];
    const isNested = !templateOf(operation.path).startsWith(base);
    return [{ operation, role, owners: ownersOf(operation.path, draft), isNested }];
  });
  return { ...draft.resource, operations };
};

/** Tells whether callers have no way to learn which items there are, so that any may be there: none lists them, and none creates them. */
export const isOpenResource = ({ operations }: Pick<Resource, 'operations'>): boolean =>
  !operations.some(({ role }) => role === 'list' || role === 'create');

/** Finds the resources of a document, in the order of its paths. What is no operation of one is not listed. */
export const resourcesOf = (
  { operations }: Pick<Model, 'operations'>,
  shapeOf: ShapeOf,
): readonly Resource[] => {
  const usable = operations.filter(
    (operation) => operation.invalidReason === undefined && fieldOf(operation) !== undefined,
  );
  const index = indexOf(usable);
  const paths = [...index.at.values()].flatMap(([operation]) => {
    const path = operation?.path.replace(/\/$/, '') ?? '';
    return itemPathsOf(path).filter(({ item }) => item === path);
  });
  return paths
    .flatMap((path) => draftOf(path, index, shapeOf) ?? [])
    .map((draft) => resourceOf(draft, index, shapeOf))
    .filter(({ operations }) => {
      const has = (...wanted: Role[]) => operations.some(({ role }) => wanted.includes(role));
      const changes = has('create', 'replace', 'patch', 'delete');
      return has('read', 'list') && (changes || (has('read') && has('list')));
    });
};
