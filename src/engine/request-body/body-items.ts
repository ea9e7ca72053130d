/** Bodies that are read item by item (OAS 3.2.0, Sequential Media Types): an item is read when the handler asks for it. */

import { drawFrom, type Fuel, FuelExhausted, itemFuel, refuel } from '../../base/fuel';
import { MalformedText } from '../../base/malformed-text';
import { turnKeeper } from '../../base/run-in-steps';
import { errorAt, HttpError, type ValidationError } from '../../http/http-error';
import type { BodyPieces } from '../../http/request';
import type { Coerce } from '../../schema/coercion';
import type { Validate } from '../../schema/validation/compile-validators';
import type { ItemReader } from '../media-types/items/item-format';

/** Makes the error of a request whose body is wrong. */
export const invalidBody = (errors: readonly ValidationError[]): HttpError =>
  new HttpError(400, 'invalid-body', 'The request body is invalid', { errors });

/**
 * Throws an error of the body for text that is malformed, or takes too many steps to read.
 * @param at the place in the body of what was read, a JSON Pointer
 */
export const refuseMalformed = (error: unknown, at = ''): never => {
  const refusal = (path: string, message: string, rule: string) =>
    invalidBody([errorAt('body', path, { message, rule })]);
  if (error instanceof MalformedText) throw refusal(at + error.path, error.message, 'syntax');
  if (error instanceof FuelExhausted) throw refusal(at, error.message, 'steps');
  throw error;
};

/** Bytes that are read before other requests may have a turn. */
const atOnce = 16 * 1024;
/** Bytes without an item, as blank lines and comments are. */
const mostIdle = 1024 * 1024;

const noItem: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * The items of a body. Each is validated when it is asked for; iterating fails with an HttpError for one that does not fit, and for a
 * body that breaks off. They can be iterated once.
 */
export class BodyItems implements AsyncIterable<unknown> {
  readonly #body: BodyPieces;
  readonly #reader: ItemReader;
  readonly #validate: Validate;
  readonly #hand: Coerce;
  #fuel: Fuel;
  #count = 0;
  /** Bytes since the last item. */
  #idle = 0;
  #isTaken = false;

  /**
   * @param hand gives an item the form that handlers get
   * @param fuel the steps of the request, to which each item adds
   */
  constructor(body: BodyPieces, reader: ItemReader, validate: Validate, hand: Coerce, fuel: Fuel) {
    this.#body = body;
    this.#reader = reader;
    this.#validate = validate;
    this.#hand = hand;
    this.#fuel = fuel;
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
    const turn = turnKeeper();
    try {
      for await (const piece of this.#pieces()) {
        for (const item of this.#checked(this.#reader.read(piece))) {
          yield item;
          await turn();
        }
        await turn();
      }
      yield* this.#checked(this.#reader.end());
    } finally {
      this.end();
    }
  }

  /** Yields the bytes, which give their steps; fails where they go on and are no item. */
  async *#pieces(): AsyncGenerator<Uint8Array> {
    for await (const bytes of this.#body.pieces) {
      for (let at = 0; at < bytes.length; at += atOnce) {
        const piece = bytes.subarray(at, at + atOnce);
        refuel(this.#fuel, piece.length);
        this.#idle += piece.length;
        yield piece;
        if (this.#idle - this.#reader.pendingBytes <= mostIdle) continue;
        const message = `must have an item in each ${mostIdle} bytes`;
        throw invalidBody([errorAt('body', `/${this.#count}`, { message, rule: 'syntax' })]);
      }
    }
  }

  /** Reads and validates items, within the steps that their bytes and those before them give. */
  *#checked(items: Iterable<unknown>): Generator<unknown> {
    const iterator = items[Symbol.iterator]();
    const next = () => {
      const result = iterator.next();
      if (result.done) return noItem;
      const errors = this.#validate(result.value);
      if (errors.length === 0) return result;
      throw invalidBody(
        errors.map((error) => errorAt('body', `/${this.#count}${error.path}`, error)),
      );
    };
    const read = (): IteratorResult<unknown> => {
      this.#fuel = itemFuel(this.#fuel);
      try {
        return drawFrom(this.#fuel, next);
      } catch (error) {
        return refuseMalformed(error, `/${this.#count}`);
      }
    };
    for (let result = read(); !result.done; result = read()) {
      this.#count += 1;
      this.#idle = 0;
      yield this.#hand(result.value);
    }
  }
}
