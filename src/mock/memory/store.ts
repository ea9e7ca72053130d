/** The items of all resources of a document, seeded when they are first asked for: with those of its examples, else with sampled ones. */

import { exactNumber } from '../../base/exact-number';
import { memoize } from '../../base/memoize';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { templateNames } from '../../document/read/templates';
import { type BodyForm, bodyFormOf } from '../../document/resources/body-forms';
import { itemPathsOf } from '../../document/resources/item-paths';
import { type Owner, type Resource, templateOf } from '../../document/resources/resources';
import type { SchemaContext } from '../../engine';
import { type MediaType, type Operation, type Parameter, valuesOf } from '../../model/operation';
import { exampleReader } from '../samples/example-errors';
import { compileValues, varied } from '../values/items';
import { type Entry, makeTable, type Table, type Usage } from './tables';

/** Finds the resource whose items have the template as path, and its seeds. */
type FindSeeds = (
  template: string,
) => { readonly identity: string; readonly seeds: readonly Entry[] } | undefined;

const heldBy = (form: BodyForm, value: unknown): readonly unknown[] => {
  if (form.kind === 'item') return [value];
  if (form.kind === 'list') return Array.isArray(value) ? value : [];
  return isPlainObject(value) ? heldBy(form.inner, value[form.name]) : [];
};

/** Makes the finder of the form in which bodies hold a resource's items. */
export const formFinder = (
  { name, identity, schema }: Resource,
  { shapeOf }: Pick<SchemaContext, 'shapeOf'>,
): ((content: MediaType) => BodyForm | undefined) => {
  const { component } = shapeOf(schema);
  const sought = {
    name,
    component,
    isItem: (shape: ReturnType<typeof shapeOf>) => shape.properties.has(identity),
  };
  return ({ schema: body }) => body && bodyFormOf(body, sought, shapeOf);
};

/** Lists the examples of items in the bodies of the resource's operations. */
const exampleItems = ({ resource, values }: Table, tools: SchemaContext): PlainObject[] => {
  const formOf = formFinder(resource, tools);
  const contents = resource.operations.flatMap(({ operation: { responses, requestBody } }) => [
    ...responses.filter(({ key }) => key.startsWith('2')).flatMap(({ content }) => content),
    ...(requestBody?.content ?? []),
  ]);
  return contents.flatMap((content) => {
    const form = formOf(content);
    if (form === undefined || content.schema === undefined) return [];
    const read = exampleReader(content.key, content.schema, tools);
    return content.examples
      .flatMap((example) => heldBy(form, read(example)))
      .filter(isPlainObject)
      .filter((item) => item[resource.identity] !== undefined && values.accepts(item));
  });
};

/** Lists the examples of a path parameter, wherever the template stands in a path. */
const exampleTexts = (template: string, operations: readonly Operation[]): string[] => {
  const examplesOf = ({ examples, schema }: Parameter) =>
    [...valuesOf(examples), ...schema.examples].map(String);
  const texts = operations.flatMap(({ path, parameters }) => {
    const name = itemPathsOf(path).find(({ item }) => templateOf(item) === template)?.parameter;
    return parameters
      .filter((parameter) => parameter.in === 'path' && parameter.name === name)
      .flatMap(examplesOf);
  });
  return [...new Set(texts)];
};

/** Lists the collections that are filled, 20 at most: those of the items above that are there from the beginning. */
const seededScopes = (
  { resource }: Table,
  operations: readonly Operation[],
  findSeeds: FindSeeds,
): string[][] =>
  [...resource.collection.matchAll(/\{[^}]*\}/g)].reduce<string[][]>(
    (scopes, { 0: parameter, index }) => {
      const template = templateOf(resource.collection.slice(0, index + parameter.length));
      const above = findSeeds(template);
      const texts = exampleTexts(template, operations);
      return scopes
        .flatMap((scope) => {
          const inside = above?.seeds.filter((seed) =>
            seed.scope.every((value, at) => value === scope[at]),
          );
          const found = inside?.map(({ item }) => String(item[above?.identity ?? ''])) ?? texts;
          return found.map((value) => [...scope, value]);
        })
        .slice(0, 20);
    },
    [[]],
  );

/** Puts the identities of the items above into the properties that hold them, where they fit. */
export const withOwners = (
  { values }: Table,
  item: PlainObject,
  owners: readonly Owner[],
  path: Readonly<Record<string, unknown>>,
): PlainObject => {
  const owned = owners.flatMap(({ parameter, property }) => {
    const [text, accepts] = [String(path[parameter]), values.property(property)?.accepts];
    const value = [path[parameter], text, exactNumber(text)].find((candidate) =>
      accepts?.(candidate),
    );
    return value === undefined ? [] : [[property, value] as const];
  });
  return { ...item, ...Object.fromEntries(owned) };
};

/** Lists the items that the document names: by examples of bodies, and of the path parameter. */
const namedItems = (table: Table, operations: readonly Operation[], tools: SchemaContext) => {
  const { values, resource } = table;
  const items = exampleItems(table, tools);
  const sample = items[0] ?? values.sample();
  if (!isPlainObject(sample)) return [];
  const texts = exampleTexts(templateOf(resource.item), operations);
  const named = texts
    .map((text) => ({ ...sample, [resource.identity]: table.typedIdentity(text) }))
    .filter(values.accepts);
  return [...items, ...named];
};

/** Adds three sampled items, which differ where their schema lets them. */
const addSamples = (table: Table, scope: readonly string[]): void => {
  const { values, resource } = table;
  const sample = values.sample();
  if (!isPlainObject(sample)) return;
  for (let index = 0; index < 3; index += 1) {
    const own = index === 0 ? table.typedIdentity(sample[resource.identity]) : undefined;
    const identity = own ?? table.newIdentity(scope);
    const item = { ...varied(values, sample, index), [resource.identity]: identity };
    if (values.accepts(item)) table.set({ scope, item });
  }
};

/** Fills a collection with the items, of several with one identity the first, else with sampled ones. */
const fillCollection = (table: Table, scope: readonly string[], named: readonly PlainObject[]) => {
  const { resource, values } = table;
  for (const item of named) {
    if (table.find(scope, item[resource.identity]) === undefined) table.set({ scope, item });
  }
  if (named.length === 0) addSamples(table, scope);
  const own = resource.operations.find(({ isNested }) => !isNested);
  const names = templateNames(own?.operation.path ?? '');
  const path = Object.fromEntries(scope.map((value, index) => [names[index] ?? '', value]));
  for (const item of table.within(scope)) {
    const owned = withOwners(table, item, own?.owners ?? [], path);
    if (values.accepts(owned)) table.set({ scope, item: owned });
  }
};

/** Opens the store of one document; the same number of the seed gives the same items. */
export const openStore = (
  operations: readonly Operation[],
  resources: readonly Resource[],
  tools: SchemaContext,
  number: number,
) => {
  const valuesOf = compileValues(tools, 'any');
  const tables = new Map<Resource, Table>();
  let usage: Usage = { items: 0, bytes: 0 };

  /** Finds the resource whose items have the path. */
  const at = (template: string): Resource | undefined =>
    resources.find(({ item }) => templateOf(item) === template);

  const findSeeds: FindSeeds = (template) => {
    const resource = at(template);
    return resource && { identity: resource.identity, seeds: seedsOf(resource) };
  };
  const seedsOf = memoize((resource: Resource): readonly Entry[] => {
    const table = makeTable(resource, operations, valuesOf, { items: 0, bytes: 0 }, number);
    const named = namedItems(table, operations, tools);
    for (const scope of seededScopes(table, operations, findSeeds)) {
      fillCollection(table, scope, named);
    }
    return table.all();
  });

  /** Returns the items of a resource. */
  const tableOf = (resource: Resource): Table => {
    const known = tables.get(resource);
    if (known !== undefined) return known;
    const table = makeTable(resource, operations, valuesOf, usage, number);
    for (const entry of seedsOf(resource)) table.set(entry);
    tables.set(resource, table);
    return table;
  };

  return {
    at,
    table: tableOf,

    /** Deletes an item, and all items below it. */
    delete(resource: Resource, scope: readonly string[], identity: unknown): void {
      tableOf(resource).delete(scope, identity);
      const above = `${templateOf(resource.item)}/`;
      for (const other of resources) {
        if (!templateOf(other.collection).startsWith(above)) continue;
        tableOf(other).deleteWithin([...scope, String(identity)]);
      }
    },

    /** Forgets all changes. */
    reset(): void {
      tables.clear();
      usage = { items: 0, bytes: 0 };
    },
  };
};

export type Store = ReturnType<typeof openStore>;
