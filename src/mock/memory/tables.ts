/** The items of a memory, exact as handlers get and give them: each under its identity and those of the items above it, within bounds. */

import { createHash } from 'node:crypto';
import { exactNumber } from '../../base/exact-number';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { isOpenResource, type Resource, templateOf } from '../../document/resources/resources';
import { jsonWriter } from '../../engine';
import { type HttpError, unavailable } from '../../http/http-error';
import type { Operation } from '../../model/operation';
import { compileCoercion } from '../../schema/coercion';
import type { ItemValues, ValuesOf } from '../values/items';

/** The most items that a memory holds, and bytes of their JSON. */
const MOST_ITEMS = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** Random texts that are tried before those that the schema suggests. */
const MOST_TRIES = 20;

/** An item and the path parameters of its collection, as texts. */
export interface Entry {
  readonly scope: readonly string[];
  readonly item: PlainObject;
}

const keyOf = (scope: readonly string[], identity: unknown): string =>
  JSON.stringify([...scope, String(identity)]);

const isWithin = (scope: readonly string[], outer: readonly string[]): boolean =>
  outer.every((value, index) => scope[index] === value);

/** The count of all items and bytes of a memory. */
export interface Usage {
  items: number;
  bytes: number;
}

const full = (what: string): HttpError =>
  unavailable(`The mock's memory is full: ${what}. Delete items, or reset it by DELETE /__state`);

/** The items of one resource. */
export class Table {
  readonly resource: Resource;
  readonly values: ItemValues;
  /** Values of the property that names an item. */
  readonly identities: ItemValues;
  readonly #write: (item: unknown) => string;
  readonly #accepts: readonly ((value: unknown) => boolean)[];
  readonly #isOpen: boolean;
  readonly #usage: Usage;
  readonly #seed: string;
  readonly #entries = new Map<string, Entry & { readonly bytes: number }>();
  /** The items that were deleted where any other is there. */
  readonly #gone = new Set<string>();
  #greatest = 0n;
  #made = 0;

  constructor(
    resource: Resource,
    operations: readonly Operation[],
    valuesOf: ValuesOf,
    usage: Usage,
    seed: number,
  ) {
    this.resource = resource;
    this.values = valuesOf(resource.schema);
    this.identities = this.values.property(resource.identity) ?? this.values;
    this.#write = jsonWriter(this.values.shape, 'storage');
    const parameters = operations
      .filter(({ path }) => templateOf(path) === templateOf(resource.item))
      .flatMap((operation) =>
        operation.parameters.filter((parameter) => parameter.in === 'path').slice(-1),
      );
    this.#accepts = [this.identities, ...parameters.map(({ schema }) => valuesOf(schema))].map(
      ({ accepts }) => accepts,
    );
    this.#isOpen = isOpenResource(resource);
    this.#usage = usage;
    this.#seed = `${seed} ${templateOf(resource.item)}`;
  }

  all(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** Lists the items of a collection in the order of their creation. */
  within(scope: readonly string[]): readonly PlainObject[] {
    return this.all()
      .filter((entry) => isWithin(entry.scope, scope))
      .map(({ item }) => item);
  }

  find(scope: readonly string[], identity: unknown): PlainObject | undefined {
    return this.#entries.get(keyOf(scope, identity))?.item;
  }

  /**
   * Finds an item, or makes it where callers have no way to learn which ones there are: that resource is open, and keeps what is made.
   * @throws HttpError 503 where the memory is full
   */
  reach(scope: readonly string[], identity: unknown): PlainObject | undefined {
    const known = this.find(scope, identity);
    if (known !== undefined || !this.#isOpen || this.#gone.has(keyOf(scope, identity)))
      return known;
    const item = this.made(identity);
    if (item !== undefined) this.set({ scope, item });
    return item;
  }

  /** Makes an item of this identity; undefined where it fits none. */
  made(identity: unknown): PlainObject | undefined {
    const [sample, typed] = [this.values.sample(), this.typedIdentity(identity)];
    const item = { ...(isPlainObject(sample) && sample), [this.resource.identity]: typed };
    return typed !== undefined && this.values.accepts(item) ? item : undefined;
  }

  /**
   * Keeps an item in place of the one with its identity.
   * @throws HttpError 503 where the memory is full
   */
  set({ scope, item }: Entry): void {
    const identity = item[this.resource.identity];
    const key = keyOf(scope, identity);
    const known = this.#entries.get(key);
    const bytes = key.length + this.#write(item).length;
    const grown = bytes - (known?.bytes ?? 0);
    if (known === undefined && this.#usage.items >= MOST_ITEMS) {
      throw full(`it holds ${MOST_ITEMS} items`);
    }
    if (this.#usage.bytes + grown > MOST_BYTES) {
      throw full(`it holds ${MOST_BYTES / 1024 / 1024} MiB`);
    }
    this.#entries.set(key, { scope, item, bytes });
    this.#usage.items += known === undefined ? 1 : 0;
    this.#usage.bytes += grown;
    const number = /^\d+$/.test(String(identity)) ? BigInt(String(identity)) : 0n;
    if (number > this.#greatest) this.#greatest = number;
  }

  delete(scope: readonly string[], identity: unknown): void {
    if (this.#gone.size < MOST_ITEMS) this.#gone.add(keyOf(scope, identity));
    this.#remove(keyOf(scope, identity));
  }

  /** Deletes all items below one of another resource. */
  deleteWithin(scope: readonly string[]): void {
    for (const [key, entry] of this.#entries) if (isWithin(entry.scope, scope)) this.#remove(key);
  }

  #remove(key: string): void {
    const known = this.#entries.get(key);
    if (known === undefined) return;
    this.#entries.delete(key);
    this.#usage.items -= 1;
    this.#usage.bytes -= known.bytes;
  }

  /** Returns the identity in the type that items have it in; undefined where none fits. */
  typedIdentity(given: unknown): unknown {
    const text = String(given);
    const numbers = /^-?\d{1,20}$/.test(text) ? [exactNumber(text), BigInt(text)] : [];
    const typed = compileCoercion(this.identities.shape, 'storage');
    return [...numbers, text, given].map(typed).find(this.identities.accepts);
  }

  /**
   * Makes an identity that no item of the collection has: the next number, a UUID or a short text.
   * @throws HttpError 503 where the schema has no other value
   */
  newIdentity(scope: readonly string[]): unknown {
    for (const identity of this.#candidates()) {
      if (identity === undefined || this.find(scope, identity) !== undefined) continue;
      if (this.#accepts.every((accepts) => accepts(identity))) return identity;
    }
    throw full(`no other ${this.resource.identity} fits its schema`);
  }

  *#candidates(): Iterable<unknown> {
    const { shape } = this.identities;
    if (shape.type === 'integer') {
      yield this.typedIdentity(this.#greatest + 1n);
    } else {
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        this.#made = Math.max(this.#made + 1, this.#entries.size);
        const digits = createHash('sha256').update(`${this.#seed} ${this.#made}`).digest('hex');
        const uuid = digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');
        yield* shape.format === 'uuid' ? [uuid] : [digits.slice(0, 8), digits.slice(0, 24), uuid];
      }
    }
    yield* this.identities.series();
  }
}
