/** Records whose keys come from a document or a request, so that no key may be special. */

/**
 * Makes records that inherit nothing. V8 keeps an object without a prototype as a hash table, slow to make and to read; one
 * whose prototype is an empty object has a shape as any other.
 */
function BareRecord(): void {}
BareRecord.prototype = Object.freeze(Object.create(null));

const Bare = BareRecord as unknown as new () => Record<string, never>;

/** A new record, without keys of its own or inherited ones. */
export const emptyRecord = <Value>(): Record<string, Value> => new Bare();
