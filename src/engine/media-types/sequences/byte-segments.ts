/** Bytes in segments, which a byte ends: lines, and the texts of a JSON text sequence. */

import { HttpError } from '../../../http/http-error';

/** Collects bytes until a segment is complete. */
export class ByteSegments {
  readonly #end: number;
  readonly #most: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  /**
   * @param end the byte that ends a segment
   * @param most bytes of one
   */
  constructor(end: number, most: number) {
    this.#end = end;
    this.#most = most;
  }

  /** The number of bytes of the segment that is not complete. */
  get size(): number {
    return this.#size;
  }

  #keep(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#size > this.#most) {
      throw new HttpError(413, 'body-too-large', `An item is larger than ${this.#most} bytes`);
    }
    if (bytes.length > 0) this.#parts.push(bytes);
  }

  /** Yields the segments that the bytes complete, without their ends. */
  *split(bytes: Uint8Array): Generator<Uint8Array> {
    let start = 0;
    for (
      let end = bytes.indexOf(this.#end);
      end >= 0;
      start = end + 1, end = bytes.indexOf(this.#end, start)
    ) {
      this.#keep(bytes.subarray(start, end));
      yield this.take();
    }
    this.#keep(bytes.subarray(start));
  }

  /** Returns the bytes of the segment that is not complete; they are kept. */
  peek(): Uint8Array {
    const [only = new Uint8Array(), ...more] = this.#parts;
    if (more.length === 0) return only;
    const all = Buffer.concat(this.#parts);
    this.#parts = [all];
    return all;
  }

  /** Returns the bytes of the segment that is not complete, and forgets them. */
  take(): Uint8Array {
    const bytes = this.peek();
    this.#parts = [];
    this.#size = 0;
    return bytes;
  }
}
