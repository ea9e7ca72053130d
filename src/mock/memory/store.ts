/** The items of all resources of a document, seeded when they are first asked for. */

import { memoize } from '../../base/memoize';
import { type Resource, templateOf } from '../../document/resources/resources';
import type { SchemaContext } from '../../engine';
import type { Operation } from '../../model/operation';
import { compileValues } from '../values/items';
import { type FindSeeds, seed } from './seeds';
import { type Entry, Table, type Usage } from './tables';

/** The items of one document's resources. */
export class Store {
  readonly #resources: readonly Resource[];
  readonly #tables = new Map<Resource, Table>();
  readonly #makeTable: (resource: Resource, usage: Usage) => Table;
  readonly #seedsOf: (resource: Resource) => readonly Entry[];
  #usage: Usage = { items: 0, bytes: 0 };

  /** @param number of the seed: the same gives the same items */
  constructor(
    operations: readonly Operation[],
    resources: readonly Resource[],
    tools: SchemaContext,
    number: number,
  ) {
    this.#resources = resources;
    const valuesOf = compileValues(tools, 'any');
    this.#makeTable = (resource, usage) => new Table(resource, operations, valuesOf, usage, number);
    const findSeeds: FindSeeds = (template) => {
      const resource = this.at(template);
      return resource && { identity: resource.identity, seeds: this.#seedsOf(resource) };
    };
    this.#seedsOf = memoize((resource: Resource) => {
      const table = this.#makeTable(resource, { items: 0, bytes: 0 });
      seed(table, operations, tools, findSeeds);
      return table.all();
    });
  }

  /** Finds the resource whose items have the path. */
  at(template: string): Resource | undefined {
    return this.#resources.find(({ item }) => templateOf(item) === template);
  }

  /** Returns the items of a resource. */
  table(resource: Resource): Table {
    const known = this.#tables.get(resource);
    if (known !== undefined) return known;
    const table = this.#makeTable(resource, this.#usage);
    for (const entry of this.#seedsOf(resource)) table.set(entry);
    this.#tables.set(resource, table);
    return table;
  }

  /** Deletes an item, and all items below it. */
  delete(resource: Resource, scope: readonly string[], identity: unknown): void {
    this.table(resource).delete(scope, identity);
    const above = `${templateOf(resource.item)}/`;
    for (const other of this.#resources) {
      if (!templateOf(other.collection).startsWith(above)) continue;
      this.table(other).deleteWithin([...scope, String(identity)]);
    }
  }

  /** Forgets all changes. */
  reset(): void {
    this.#tables.clear();
    this.#usage = { items: 0, bytes: 0 };
  }
}
