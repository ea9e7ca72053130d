/**
 * The resources that the paths of a document describe, inferred from the model alone: collections such as `/things` and their items
 * `/things/{id}`, with the property that names an item and the role of each operation.
 */

import type { Model } from '../../model/document';
import type { MediaType, Operation } from '../../model/operation';
import type { Schema } from '../../model/schema';
import type { Shape, ShapeOf } from '../../schema/shape';
import { type BodyForm, bodyFormOf, innermost, type SoughtItems, singular } from './body-forms';
import { creationOf, type ItemPath, identityName, itemPathsOf, plain } from './item-paths';
import { type ResourceField, type Role, readResourceField } from './resource-field';

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

const isScalar = ({ type }: Shape): boolean => ['string', 'integer', 'number'].includes(type);

/** Finds the property that names an item; undefined where none does. */
const identityOf = (
  { properties }: Shape,
  { parameter, name }: ItemPath & { readonly name: string },
): string | undefined => {
  const names = [...properties].filter(([, shape]) => isScalar(shape)).map(([key]) => key);
  const full = plain(singular(name) + parameter);
  return (
    identityName(parameter, names) ??
    names.find((key) => plain(key) === full) ??
    names.find((key) => key === 'id')
  );
};

const successContents = ({ responses }: Operation): readonly MediaType[] =>
  responses.filter(({ key }) => /^2|^default$/.test(key)).flatMap(({ content }) => content);

/** A resource before the roles of its operations are known. */
interface Draft extends Omit<Resource, 'operations'>, SoughtItems {
  readonly shape: Shape;
  formOf(contents: readonly MediaType[]): BodyForm | undefined;
  /** Tells whether a body of the operation has members that items have. */
  takesItem(operation: Operation): boolean;
}

const isUsable = (operation: Operation): boolean =>
  operation.invalidReason === undefined && fieldOf(operation) !== undefined;

const draftOf = (
  path: ItemPath,
  operations: readonly Operation[],
  shapeOf: ShapeOf,
): Draft | undefined => {
  const below = (template: string) =>
    operations.filter((one) => templateOf(one.path) === templateOf(template));
  const [own, others] = [below(path.item), below(path.collection)];
  const said = (key: 'name' | 'identity') =>
    own.map((one) => fieldOf(one)?.[key]).find((one) => one !== undefined);
  const name =
    said('name') ?? path.collection.split('/').findLast((step) => !step.startsWith('{')) ?? '';
  const named = said('identity');
  const identityIn = (shape: Shape) =>
    named === undefined
      ? identityOf(shape, { ...path, name })
      : [...shape.properties.keys()].find((key) => key === named);
  const sought: SoughtItems = {
    name,
    component: undefined,
    isItem: (shape) => identityIn(shape) !== undefined,
  };
  const formsOf = (contents: readonly MediaType[], items: SoughtItems): BodyForm[] =>
    contents.flatMap(({ schema }) => (schema && bodyFormOf(schema, items, shapeOf)) ?? []);
  const ofMethod = (list: readonly Operation[], ...methods: Operation['method'][]) =>
    methods.flatMap((method) => list.filter((one) => one.method === method));
  const asked = [...ofMethod(own, 'put', 'patch'), ...ofMethod(others, 'post', 'put')];
  // Best first: what reading an item answers shows all of it.
  const contents = [
    ...ofMethod(own, 'get', 'put', 'patch').flatMap(successContents),
    ...ofMethod(others, 'get', 'post', 'put').flatMap(successContents),
    ...asked.flatMap(({ requestBody }) => requestBody?.content ?? []),
  ];
  const [found] = formsOf(contents, sought).map(innermost);
  if (found === undefined) return undefined;
  const schema = found.kind === 'item' ? found.schema : found.items;
  const shape = shapeOf(schema);
  const identity = identityIn(shape);
  if (identity === undefined) return undefined;
  const isItem: SoughtItems['isItem'] = (one) => one.properties.has(identity);
  const items = { name, component: shape.component, isItem };
  const takesItem: Draft['takesItem'] = ({ requestBody }) =>
    (requestBody?.content ?? []).some(({ schema: body }) => {
      if (body === undefined || shapeOf(body).type === 'array') return false;
      const envelope = bodyFormOf(body, items, shapeOf);
      const members = shapeOf(body).properties.keys();
      return envelope !== undefined || [...members].some((key) => shape.properties.has(key));
    });
  return {
    ...path,
    ...items,
    identity,
    schema,
    shape,
    formOf: (given) => formsOf(given, items)[0],
    takesItem,
  };
};

const answers = (operation: Operation, draft: Draft): 'item' | 'list' | undefined => {
  const form = draft.formOf(successContents(operation));
  return form && innermost(form).kind;
};

/** Tells whether a POST at an item changes it: it takes members of items alone, perhaps by its query, and answers nothing else. */
const isPostedPatch = (operation: Operation, draft: Draft): boolean => {
  const queried = operation.parameters.filter((one) => one.in === 'query');
  const isMember = ({ name }: { readonly name: string }) => draft.shape.properties.has(name);
  const answersOther =
    successContents(operation).length > 0 && answers(operation, draft) !== 'item';
  if (answersOther || !queried.every(isMember)) return false;
  return operation.requestBody === undefined ? queried.length > 0 : draft.takesItem(operation);
};

/** Finds the role of an operation on items by its method. */
const itemRole = (operation: Operation, draft: Draft): Role | undefined => {
  switch (operation.method) {
    case 'get':
      return answers(operation, draft) === 'item' ? 'read' : undefined;
    case 'delete':
      return 'delete';
    case 'put':
      return draft.takesItem(operation) ? 'replace' : undefined;
    case 'patch':
      return draft.takesItem(operation) ? 'patch' : undefined;
    case 'post':
      return isPostedPatch(operation, draft) ? 'patch' : undefined;
    default:
      return undefined;
  }
};

/** Tells whether a body of the operation names the item that is meant. */
const namesItem = ({ requestBody }: Operation, draft: Draft): boolean => {
  const form = draft.formOf(requestBody?.content ?? []);
  return form !== undefined && innermost(form).kind === 'item';
};

const isCreation = (operation: Operation, draft: Draft): boolean =>
  operation.requestBody === undefined
    ? answers(operation, draft) === 'item'
    : draft.takesItem(operation);

/** Finds the role of an operation on collections by its method. */
const collectionRole = (operation: Operation, draft: Draft): Role | undefined => {
  switch (operation.method) {
    case 'get':
      return answers(operation, draft) === 'list' ? 'list' : undefined;
    case 'post':
      return isCreation(operation, draft) ? 'create' : undefined;
    case 'put':
      return namesItem(operation, draft) ? 'replace' : undefined;
    case 'patch':
      return namesItem(operation, draft) ? 'patch' : undefined;
    default:
      return undefined;
  }
};

/** Tells whether bodies of the operation hold items of the very schema, by its name. */
const isOfComponent = (operation: Operation, draft: Draft, shapeOf: ShapeOf): boolean =>
  draft.component !== undefined &&
  [...successContents(operation), ...(operation.requestBody?.content ?? [])].some(({ schema }) => {
    const form = schema && bodyFormOf(schema, draft, shapeOf);
    const inner = form && innermost(form);
    const items = inner?.kind === 'item' ? inner.schema : inner?.items;
    return items !== undefined && shapeOf(items).component === draft.component;
  });

/** Lists the parameters of a path that properties of the items hold. */
const ownersOf = (path: string, { shape, item }: Draft): Owner[] =>
  itemPathsOf(path)
    .filter((one) => templateOf(one.item) !== templateOf(item))
    .flatMap(({ parameter, collection }) => {
      const kind = singular(collection.split('/').at(-1) ?? '');
      const names = [parameter, kind + parameter, `${kind}Id`].map(plain);
      const found = [...shape.properties].find(
        ([name, one]) => isScalar(one) && names.includes(plain(name)) && plain(name) !== 'id',
      );
      return found === undefined ? [] : [{ parameter, property: found[0] }];
    });

/** Tells whether a path is a collection's of the same name below an item that the items belong to. */
const isBelow = (path: string, draft: Draft): boolean =>
  !draft.collection.includes('{') &&
  templateOf(path).endsWith(`/${draft.name}`) &&
  ownersOf(path, draft).length > 0;

/** Finds the role of an operation at another path: it lists some of the items, or those below an item of another resource. */
const distantRole = (
  operation: Operation,
  draft: Draft,
  linked: Operation | undefined,
  shapeOf: ShapeOf,
): Role | undefined => {
  const role = collectionRole(operation, draft);
  if (role === 'create' && operation === linked) return role;
  if (role === 'replace' || role === 'patch') return undefined;
  if (role === undefined || !isOfComponent(operation, draft, shapeOf)) return undefined;
  const [template, collection] = [templateOf(operation.path), templateOf(draft.collection)];
  const isPart =
    template.startsWith(`${collection}/`) && !template.slice(collection.length).includes('{');
  return (isPart ? role === 'list' : isBelow(operation.path, draft)) ? role : undefined;
};

/** Gives each operation that belongs to the resource its role. */
const resourceOf = (
  draft: Draft,
  model: Pick<Model, 'operations'>,
  shapeOf: ShapeOf,
  taken: ReadonlySet<string>,
): Resource => {
  const { name, parameter, identity, schema, item, collection } = draft;
  const linked = creationOf(model, draft)?.operation;
  const inferredRole = (operation: Operation): Role | undefined => {
    const template = templateOf(operation.path);
    if (template === templateOf(item)) return itemRole(operation, draft);
    if (template === templateOf(collection)) return collectionRole(operation, draft);
    return taken.has(template) ? undefined : distantRole(operation, draft, linked, shapeOf);
  };
  const operations = model.operations.filter(isUsable).flatMap((operation) => {
    const field = fieldOf(operation);
    if (field?.name !== undefined && field.name !== name) return [];
    const template = templateOf(operation.path);
    const inferred = inferredRole(operation);
    const isMine =
      (inferred ?? field?.name) !== undefined ||
      [item, collection].map(templateOf).includes(template);
    const role = isMine ? (field?.role ?? inferred) : undefined;
    if (role === undefined) return [];
    const isNested = !template.startsWith(templateOf(collection));
    return [{ operation, role, owners: ownersOf(operation.path, draft), isNested }];
  });
  return { name, parameter, identity, schema, operations, item, collection };
};

/** Tells whether there is something to remember: a change, or a list to read from. */
const isRemembered = ({ operations }: Resource): boolean => {
  const has = (...wanted: Role[]) => operations.some(({ role }) => wanted.includes(role));
  return (
    has('read', 'list') &&
    (has('create', 'replace', 'patch', 'delete') || (has('read') && has('list')))
  );
};

/**
 * Finds the resources of a document, in the order of its paths. What is no operation of one is not listed.
 * @param shapeOf may throw for schemas that cannot be read; their resources are left out
 */
export const resourcesOf = (
  model: Pick<Model, 'operations'>,
  shapeOf: ShapeOf,
): readonly Resource[] => {
  const usable = model.operations.filter(isUsable);
  const paths = new Map(
    usable.flatMap(({ path }) => {
      const last = itemPathsOf(path.replace(/\/$/, '')).at(-1);
      return last?.item === path.replace(/\/$/, '') ? [[templateOf(path), last] as const] : [];
    }),
  );
  const drafts = [...paths.values()].flatMap((path) => draftOf(path, usable, shapeOf) ?? []);
  const taken = new Set(
    drafts.flatMap(({ item, collection }) => [item, collection].map(templateOf)),
  );
  return drafts.map((draft) => resourceOf(draft, model, shapeOf, taken)).filter(isRemembered);
};
