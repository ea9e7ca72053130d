/** Compares a value that was read with the one that was written: exactly, but for different texts of the same value. */

import { compareExactly, isNumeric } from '../../../base/exact-number';
import { pointerTo } from '../../../base/json-pointer';
import { isPlainObject } from '../../../base/plain-object';
import type { Shape } from '../../../schema/shape';
import { type AnswerBody, anyItem } from '../checks/read-body';

/** A place where the value that came back is another one. */
export interface Difference {
  readonly pointer: string;
  readonly written: unknown;
  readonly read: unknown;
}

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

/** Tells whether two values without members are the same: numbers of all types by their digits, where the document asks for no float. */
const sameScalar = (written: unknown, read: unknown, { type, format }: Shape): boolean => {
  if (isNumeric(written) && isNumeric(read)) {
    if (format === 'float') return Math.fround(Number(written)) === Math.fround(Number(read));
    return compareExactly(written, read) === 0;
  }
  if (isBytes(written) && isBytes(read)) return Buffer.compare(written, read) === 0;
  if (typeof written !== 'string' || typeof read !== 'string') return written === read;
  return type === 'string' && format === 'date-time'
    ? Date.parse(written) === Date.parse(read)
    : written.normalize('NFC') === read.normalize('NFC');
};

/** Tells whether there is no value: left out, null, or an empty list, which XML cannot tell apart. */
const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/**
 * The differences of a written value and the one that was read, in properties that the read shape declares.
 * @param whole true for two representations of the same value; else a server may leave properties out, and set others
 */
export const differences = (
  written: unknown,
  read: unknown,
  shape: Shape,
  whole = false,
  at = '',
): Difference[] => {
  if (isNothing(written)) return [];
  if (isNothing(read)) return whole ? [{ pointer: at, written, read }] : [];
  if (Array.isArray(written) && Array.isArray(read)) {
    if (written.length !== read.length) return [{ pointer: at, written, read }];
    const { items } = shape;
    if (items === undefined) return [];
    return written.flatMap((item, index) =>
      differences(item, read[index], items, whole, pointerTo(at, index)),
    );
  }
  if (isPlainObject(written) && isPlainObject(read)) {
    return [...shape.properties]
      .filter(([name]) => Object.hasOwn(written, name))
      .filter(([, { readOnly, writeOnly }]) => whole || !(readOnly || writeOnly))
      .flatMap(([name, property]) =>
        differences(written[name], read[name], property, whole, pointerTo(at, name)),
      );
  }
  return sameScalar(written, read, shape) ? [] : [{ pointer: at, written, read }];
};

/**
 * Gives what was written and what came back as objects, to be compared: bytes that came back as those that were sent, by themselves
 * or in a form. Undefined where they are not alike.
 */
export const comparable = (
  written: unknown,
  { value, shape }: Pick<AnswerBody, 'value' | 'shape'>,
) => {
  if (!isBytes(value)) return isPlainObject(value) ? { written, value, shape } : undefined;
  const [bytes, ...others] = (isBytes(written) ? [written] : Object.values(Object(written))).filter(
    isBytes,
  );
  if (bytes === undefined || others.length > 0) return undefined;
  const properties = new Map([['bytes', shape]]);
  return { written: { bytes }, value: { bytes: value }, shape: { ...shape, properties } };
};

/** Tells whether a value came back as less than it was: digits as a double has them, bytes cut off, or as a text that they were taken for. */
const isDegraded = ({ written, read }: Difference): boolean => {
  if (isBytes(written) && isBytes(read)) {
    const bytes = Buffer.from(written);
    const texts = [bytes.toString(), bytes.toString('latin1'), bytes.toString('base64')];
    const others = [bytes.subarray(0, read.length), ...texts.map((text) => Buffer.from(text))];
    return others.some((other) => other.equals(read));
  }
  const isLong = typeof written !== 'number' && isNumeric(written);
  return isLong && isNumeric(read) && Number(written) === Number(read);
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
    if (inner === undefined || inner.readOnly || inner.writeOnly) return [];
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

/** The places whose values came back unchanged, and the differences at others. */
export class KeptValues<Finding> {
  readonly #kept = new Set<string>();
  readonly #open: { readonly difference: Difference; readonly finding: Finding }[] = [];

  /** Remembers the places whose values came back, with all that is in them. */
  #remember(found: readonly Difference[], written: unknown, read: unknown, at = ''): void {
    for (const [key, value, other] of pairsIn(written, read)) {
      const pointer = pointerTo(at, key);
      const isChanged = found.some((one) => `${one.pointer}/`.startsWith(`${pointer}/`));
      if (!isNothing(value) && other !== undefined && !isChanged) this.#kept.add(anyItem(pointer));
      this.#remember(found, value, other, pointer);
    }
  }

  /** Tells whether it is a loss: at a place, or in a property of the whole that still has a value, that came back at another time. */
  #isLost(difference: Difference): boolean {
    const { pointer, read } = difference;
    const [, top = ''] = pointer.split('/');
    const isInKept = !isNothing(read) && this.#kept.has(`/${top}`);
    return isInKept || this.#kept.has(anyItem(pointer)) || isDegraded(difference);
  }

  /**
   * Gives the findings of those differences that are losses; the others may turn out to be some.
   * @param written what was written
   * @param read what came back
   */
  lost(
    found: readonly Difference[],
    written: unknown,
    read: unknown,
    findingOf: (difference: Difference) => Finding,
  ): readonly Finding[] {
    this.#remember(found, written, read);
    const all = found.map((difference) => ({ difference, finding: findingOf(difference) }));
    this.#open.push(...all.filter(({ difference }) => !this.#isLost(difference)));
    return all.filter(({ difference }) => this.#isLost(difference)).map(({ finding }) => finding);
  }

  /** Gives the findings of earlier differences that have turned out to be losses. */
  settled(): readonly Finding[] {
    const lost = this.#open.filter(({ difference }) => this.#isLost(difference));
    return lost.map(({ finding }) => finding);
  }
}
