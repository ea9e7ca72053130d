/** The items of all resources of a document: seeded when they are first asked for, and perhaps kept in a file. */

import { writeString } from '../../base/json/write-json';
import { memoize } from '../../base/memoize';
import { isPlainObject } from '../../base/plain-object';
import { type Resource, templateOf } from '../../document/resources/resources';
import type { SchemaContext } from '../../engine';
import type { Operation } from '../../model/operation';
import { compileValues } from './items';
import { type FindSeeds, seed } from './seeds';
import type { StateFile } from './state-file';
import { type Entry, Table, type Usage } from './tables';

/** The items of one document's resources. */
export class Store {
  /** The document's name in the file. */
  readonly #name: string;
  readonly #resources: readonly Resource[];
  readonly #file: StateFile | undefined;
  readonly #tables = new Map<Resource, Table>();
  readonly #makeTable: (resource: Resource, usage: Usage) => Table;
  readonly #seedsOf: (resource: Resource) => readonly Entry[];
  #usage: Usage = { items: 0, bytes: 0 };

  /**
   * Reads the file. Throws where its content cannot be used.
   * @param number of the seed: the same gives the same items
   */
  constructor(
    { name, operations }: { readonly name: string; readonly operations: readonly Operation[] },
    resources: readonly Resource[],
    tools: SchemaContext,
    number: number,
    file: StateFile | undefined,
  ) {
    this.#name = name;
    this.#resources = resources;
    this.#file = file;
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
    this.#restore();
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
  async reset(): Promise<void> {
    this.#tables.clear();
    this.#usage = { items: 0, bytes: 0 };
    await this.save();
  }

  /** Resolves when the file, if there is one, holds the changes. */
  async save(): Promise<void> {
    await this.#file?.save(this.#name, () => this.#write());
  }

  #write(): string {
    const tables = [...this.#tables].map(
      ([{ item }, table]) => `${writeString(templateOf(item))}:${table.write()}`,
    );
    return `{${tables.join(',\n')}}`;
  }

  #restore(): void {
    const [file, name] = [this.#file, this.#name];
    if (file === undefined) return;
    const kept = file.open(name) ?? {};
    if (!isPlainObject(kept)) throw file.refusal(`what it holds for ${name} is no JSON object`);
    for (const [template, entries] of Object.entries(kept)) {
      const resource = this.at(template);
      if (resource === undefined) throw file.refusal(`${name} has no resource ${template}`);
      const table = this.#makeTable(resource, this.#usage);
      if (!table.restore(entries)) throw file.refusal(`items of ${template} do not fit ${name}`);
      this.#tables.set(resource, table);
    }
  }
}
