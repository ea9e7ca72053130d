/** The items of all resources of a document, seeded when they are first asked for. */

import { memoize } from '../../base/memoize';
import { type Resource, templateOf } from '../../document/resources/resources';
import type { SchemaContext } from '../../engine';
import type { Operation } from '../../model/operation';
import { compileValues } from '../values/items';
import { type FindSeeds, seed } from './seeds';
import { type Entry, makeTable, type Table, type Usage } from './tables';

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

  const at = (template: string): Resource | undefined =>
    resources.find(({ item }) => templateOf(item) === template);

  const findSeeds: FindSeeds = (template) => {
    const resource = at(template);
    return resource && { identity: resource.identity, seeds: seedsOf(resource) };
  };
  const seedsOf = memoize((resource: Resource): readonly Entry[] => {
    const table = makeTable(resource, operations, valuesOf, { items: 0, bytes: 0 }, number);
    seed(table, operations, tools, findSeeds);
    return table.all();
  });

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

    reset(): void {
      tables.clear();
      usage = { items: 0, bytes: 0 };
    },
  };
};

export type Store = ReturnType<typeof openStore>;
