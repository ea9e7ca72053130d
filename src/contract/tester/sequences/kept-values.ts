/** Which properties a server keeps as they are written: one that it always sets by itself is its own business. */

import { isPlainObject } from '../../../engine';
import { type Difference, isNothing } from './compare-values';

const topOf = ({ pointer }: Difference): string => pointer.split('/')[1] ?? '';

export class KeptValues {
  readonly #kept = new Set<string>();

  /**
   * Gives those of the differences that are losses: in properties that came back unchanged at another time, or that lose digits.
   * @param written what was written
   * @param read what came back
   */
  lost(found: readonly Difference[], written: unknown, read: unknown): readonly Difference[] {
    const changed = new Set(found.map(topOf));
    const members = isPlainObject(written) && isPlainObject(read) ? Object.entries(written) : [];
    for (const [name, value] of members) {
      const isThere = Object.hasOwn(Object(read), name) && !isNothing(value);
      if (isThere && !changed.has(name)) this.#kept.add(name);
    }
    return found.filter((one) => this.#kept.has(topOf(one)) || isRounded(one));
  }
}

/** Written as an integer, and read as what a double makes of it. */
const isRounded = ({ written, read }: Difference): boolean =>
  typeof written === 'bigint' && Number(written) === Number(read);
