/** The items of a memory, exact as handlers get and give them: each under its identity and those of the items above it, within bounds. */

import { createHash } from 'node:crypto';
import { exactNumber } from '../../base/exact-number';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { isOpenResource, type Resource, templateOf } from '../../document/resources/resources';
import { jsonWriter } from '../../engine';
import { type HttpError, unavailable } from '../../http/http-error';
import type { Operation } from '../../model/operation';
import { compileCoercion } from '../../schema/coercion';
import type { ValuesOf } from '../values/items';

/** The most items that a memory holds, and bytes of their JSON. */
const MOST_ITEMS = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

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

/** Makes an empty table of the items of one resource, which counts them in the usage of its memory. */
export const makeTable = (
  resource: Resource,
  operations: readonly Operation[],
  valuesOf: ValuesOf,
  usage: Usage,
  seed: number,
) => {
  const template = templateOf(resource.item);
  const values = valuesOf(resource.schema);
  /** Values of the property that names an item. */
  const identities = values.property(resource.identity) ?? values;
  const write = jsonWriter(values.shape, 'storage');
  const typed = compileCoercion(identities.shape, 'storage');
  const parameters = operations
    .filter(({ path }) => templateOf(path) === template)
    .flatMap((operation) =>
      operation.parameters.filter(({ in: place }) => place === 'path').slice(-1),
    );
  const schemas = [identities, ...parameters.map(({ schema }) => valuesOf(schema))];
  const isOpen = isOpenResource(resource);
  const entries = new Map<string, Entry & { readonly bytes: number }>();
  /** The items that were deleted where any other is there. */
  const gone = new Set<string>();
  let greatest = 0n;
  let made = 0;

  const remove = (key: string): void => {
    const known = entries.get(key);
    if (known === undefined) return;
    entries.delete(key);
    usage.items -= 1;
    usage.bytes -= known.bytes;
  };

  // Random texts that are tried before those that the schema suggests.
  const mostTries = 20;
  function* candidates(): Iterable<unknown> {
    const { shape } = identities;
    if (shape.type === 'integer') {
      yield table.typedIdentity(greatest + 1n);
    } else {
      for (let tries = 0; tries < mostTries; tries += 1) {
        made = Math.max(made + 1, entries.size);
        const digits = createHash('sha256').update(`${seed} ${template} ${made}`).digest('hex');
        const uuid = digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');
        yield* shape.format === 'uuid' ? [uuid] : [digits.slice(0, 8), digits.slice(0, 24), uuid];
      }
    }
    yield* identities.series();
  }

  const table = {
    resource,
    values,

    all: (): readonly Entry[] => [...entries.values()],

    /** Lists the items of a collection in the order of their creation. */
    within: (scope: readonly string[]): readonly PlainObject[] =>
      [...entries.values()].filter((entry) => isWithin(entry.scope, scope)).map(({ item }) => item),

    find: (scope: readonly string[], identity: unknown): PlainObject | undefined =>
      entries.get(keyOf(scope, identity))?.item,

    /**
     * Finds an item, or makes it where callers have no way to learn which ones there are: that resource is open, and keeps what is made.
     * @throws HttpError 503 where the memory is full
     */
    reach(scope: readonly string[], identity: unknown): PlainObject | undefined {
      const known = table.find(scope, identity);
      if (known !== undefined || !isOpen || gone.has(keyOf(scope, identity))) return known;
      const item = table.made(identity);
      if (item !== undefined) table.set({ scope, item });
      return item;
    },

    /** Makes an item of this identity; undefined where it fits none. */
    made(given: unknown): PlainObject | undefined {
      const [sample, identity] = [values.sample(), table.typedIdentity(given)];
      const item = { ...(isPlainObject(sample) && sample), [resource.identity]: identity };
      return identity !== undefined && values.accepts(item) ? item : undefined;
    },

    /**
     * Keeps an item in place of the one with its identity.
     * @throws HttpError 503 where the memory is full
     */
    set({ scope, item }: Entry): void {
      const identity = item[resource.identity];
      const key = keyOf(scope, identity);
      const known = entries.get(key);
      const bytes = key.length + write(item).length;
      const grown = bytes - (known?.bytes ?? 0);
      if (known === undefined && usage.items >= MOST_ITEMS) {
        throw full(`it holds ${MOST_ITEMS} items`);
      }
      if (usage.bytes + grown > MOST_BYTES) throw full(`it holds ${MOST_BYTES / 1024 ** 2} MiB`);
      entries.set(key, { scope, item, bytes });
      usage.items += known === undefined ? 1 : 0;
      usage.bytes += grown;
      const number = /^\d+$/.test(String(identity)) ? BigInt(String(identity)) : 0n;
      if (number > greatest) greatest = number;
    },

    delete(scope: readonly string[], identity: unknown): void {
      if (gone.size < MOST_ITEMS) gone.add(keyOf(scope, identity));
      remove(keyOf(scope, identity));
    },

    /** Deletes all items below one of another resource. */
    deleteWithin(scope: readonly string[]): void {
      for (const [key, entry] of entries) if (isWithin(entry.scope, scope)) remove(key);
    },

    /** Returns the identity in the type that items have it in; undefined where none fits. */
    typedIdentity(given: unknown): unknown {
      const text = String(given);
      const numbers = /^-?\d{1,20}$/.test(text) ? [exactNumber(text), BigInt(text)] : [];
      return [...numbers, text, given].map(typed).find(identities.accepts);
    },

    /**
     * Makes an identity that no item of the collection has: the next number, a UUID or a short text.
     * @throws HttpError 503 where the schema has no other value
     */
    newIdentity(scope: readonly string[]): unknown {
      for (const identity of candidates()) {
        if (identity === undefined || table.find(scope, identity) !== undefined) continue;
        if (schemas.every(({ accepts }) => accepts(identity))) return identity;
      }
      throw full(`no other ${resource.identity} fits its schema`);
    },
  };
  return table;
};

export type Table = ReturnType<typeof makeTable>;
