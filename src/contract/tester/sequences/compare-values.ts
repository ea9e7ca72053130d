/** Compares a value that was read with the one that was written: exactly, but for different texts of the same value. */

import { compareExactly, doubleOf, isNumeric } from '../../../base/exact-number';
import { pointerTo } from '../../../base/json-pointer';
import { isPlainObject } from '../../../base/plain-object';
import type { Shape } from '../../../schema/shape';
import { anyItem } from '../checks/read-body';

/** A place where the value that came back is another one. */
export interface Difference {
  readonly pointer: string;
  readonly written: unknown;
  readonly read: unknown;
}

/** Tells whether two values without members are the same: numbers of all types by their digits, where the document asks for no float. */
const sameScalar = (written: unknown, read: unknown, { type, format }: Shape): boolean => {
  if (isNumeric(written) && isNumeric(read)) {
    if (format === 'float') return Math.fround(doubleOf(written)) === Math.fround(doubleOf(read));
    return compareExactly(written, read) === 0;
  }
  if (typeof written !== 'string' || typeof read !== 'string') return written === read;
  return type === 'string' && format === 'date-time'
    ? Date.parse(written) === Date.parse(read)
    : written.normalize('NFC') === read.normalize('NFC');
};

/** Tells whether there is no value: left out, null, or an empty list, which XML cannot tell apart. */
const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** Comparisons of the whole are for two representations of the same value. Else a server may leave properties out, and set others. */
interface Comparison {
  readonly whole: boolean;
}

const isCompared = ({ readOnly, writeOnly }: Shape, { whole }: Comparison): boolean =>
  whole || !(readOnly || writeOnly);

/** The differences of a written value and the one that was read, in properties that the read shape declares. */
export const differences = (
  written: unknown,
  read: unknown,
  shape: Shape,
  comparison: Comparison = { whole: false },
  at = '',
): Difference[] => {
  if (isNothing(written)) return [];
  if (isNothing(read)) return comparison.whole ? [{ pointer: at, written, read }] : [];
  if (Array.isArray(written) && Array.isArray(read)) {
    if (written.length !== read.length) return [{ pointer: at, written, read }];
    const { items } = shape;
    if (items === undefined) return [];
    return written.flatMap((item, index) =>
      differences(item, read[index], items, comparison, pointerTo(at, index)),
    );
  }
  if (isPlainObject(written) && isPlainObject(read)) {
    return [...shape.properties]
      .filter(
        ([name, property]) => Object.hasOwn(written, name) && isCompared(property, comparison),
      )
      .flatMap(([name, property]) =>
        differences(written[name], read[name], property, comparison, pointerTo(at, name)),
      );
  }
  return sameScalar(written, read, shape) ? [] : [{ pointer: at, written, read }];
};

/** Lists what two values have at the same places: members of objects, items of lists. */
const pairsIn = (
  written: unknown,
  read: unknown,
): readonly (readonly [key: string, written: unknown, read: unknown])[] => {
  const isAlike =
    (isPlainObject(written) && isPlainObject(read)) ||
    (Array.isArray(written) && Array.isArray(read) && written.length === read.length);
  if (!isAlike) return [];
  return Object.entries(written).map(([key, value]) => [key, value, Reflect.get(read, key)]);
};

/** The written properties, at any depth, that the read shape declares and that did not come back. */
export const missingValues = (
  written: unknown,
  read: unknown,
  shape: Shape,
  at = '',
): Difference[] =>
  pairsIn(written, read).flatMap(([key, value, other]) => {
    const inner = Array.isArray(written) ? shape.items : shape.properties.get(key);
    if (inner === undefined || !isCompared(inner, { whole: false })) return [];
    const pointer = pointerTo(at, key);
    if (!isNothing(other)) return missingValues(value, other, inner, pointer);
    // Many programs leave false, zero, an empty text or object out.
    const isEmpty =
      isNothing(value) || !value || (isPlainObject(value) && Object.keys(value).length === 0);
    return isEmpty ? [] : [{ pointer, written: value, read: undefined }];
  });

/** The places at which something came back for what was written, the same or not. */
export const returnedPlaces = (written: unknown, read: unknown, at = ''): string[] =>
  pairsIn(written, read).flatMap(([key, value, other]) => {
    const pointer = pointerTo(at, key);
    return isNothing(other) ? [] : [anyItem(pointer), ...returnedPlaces(value, other, pointer)];
  });

export class KeptValues {
  readonly #kept = new Set<string>();

  /** Remembers the places whose values came back, with all that is in them. */
  #remember(found: readonly Difference[], written: unknown, read: unknown, at = ''): void {
    for (const [key, value, other] of pairsIn(written, read)) {
      const pointer = pointerTo(at, key);
      const isChanged = found.some((one) => `${one.pointer}/`.startsWith(`${pointer}/`));
      if (!isNothing(value) && other !== undefined && !isChanged) this.#kept.add(anyItem(pointer));
      this.#remember(found, value, other, pointer);
    }
  }

  /**
   * Gives those of the differences that are losses: at places that came back unchanged at another time, in properties of the whole that
   * did, where there still is a value, or that lose digits.
   * @param written what was written
   * @param read what came back
   */
  lost(found: readonly Difference[], written: unknown, read: unknown): readonly Difference[] {
    this.#remember(found, written, read);
    return found.filter(({ pointer, written: sent, read: came }) => {
      const [, top = ''] = pointer.split('/');
      const isInKept = !isNothing(came) && this.#kept.has(`/${top}`);
      // Written with digits that no double holds, and read as what a double makes of them.
      const isRounded =
        typeof sent !== 'number' &&
        isNumeric(sent) &&
        isNumeric(came) &&
        doubleOf(sent) === doubleOf(came);
      return isInKept || this.#kept.has(anyItem(pointer)) || isRounded;
    });
  }
}
