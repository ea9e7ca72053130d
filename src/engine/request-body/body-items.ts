/** Bodies that are read item by item (OAS 3.2.0, Sequential Media Types): an item is read when the handler asks for it. */

import { addFuel, drawFrom, requestFuel } from '../../base/fuel';
import type { BodyPieces } from '../../http/request';
import type { Validate } from '../../schema/validation/compile-validators';
import type { ItemReader } from '../media-types/items/item-format';
import { bodyError, invalidBody, refuseMalformed } from './body-errors';

const noItem: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * The items of a body. Each is validated when it is asked for; iterating fails with an HttpError for one that does not fit, and for a
 * body that breaks off. They can be iterated once.
 */
export class BodyItems implements AsyncIterable<unknown> {
  readonly #body: BodyPieces;
  readonly #reader: ItemReader;
  readonly #validate: Validate;
  #count = 0;
  #isTaken = false;

  constructor(body: BodyPieces, reader: ItemReader, validate: Validate) {
    this.#body = body;
    this.#reader = reader;
    this.#validate = validate;
  }

  [Symbol.asyncIterator](): AsyncIterator<unknown> {
    if (this.#isTaken) throw new Error('The items of a body can be read only once');
    this.#isTaken = true;
    return this.#all();
  }

  /** Reads and validates all items, and keeps none. */
  async readAll(): Promise<void> {
    const items = this[Symbol.asyncIterator]();
    while (!(await items.next()).done);
  }

  /** Drops what has not been read. */
  end(): void {
    this.#body.stop();
  }

  async *#all(): AsyncGenerator<unknown> {
    try {
      for await (const bytes of this.#body.pieces) {
        yield* this.#checked(this.#reader.read(bytes), bytes.length);
      }
      yield* this.#checked(this.#reader.end(), 0);
    } finally {
      this.end();
    }
  }

  /** Reads and validates items, each within the steps that a body of its size may take. */
  *#checked(items: Iterable<unknown>, size: number): Generator<unknown> {
    const iterator = items[Symbol.iterator]();
    const next = () => {
      const result = iterator.next();
      if (result.done) return noItem;
      const errors = this.#validate(result.value);
      if (errors.length === 0) return result;
      throw invalidBody(
        errors.map(({ path, message }) => bodyError(`/${this.#count}${path}`, message)),
      );
    };
    while (true) {
      const { done, value } = this.#read(next, size);
      if (done) return;
      this.#count += 1;
      yield value;
    }
  }

  #read(next: () => IteratorResult<unknown>, size: number): IteratorResult<unknown> {
    const fuel = requestFuel();
    addFuel(fuel, this.#reader.pendingBytes + size);
    try {
      return drawFrom(fuel, next);
    } catch (error) {
      return refuseMalformed(error, `/${this.#count}`);
    }
  }
}
