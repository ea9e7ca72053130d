/**
 * Changes the values of a file: what is changed are copies, so that its own values stay, and what aliases stand for elsewhere. Keeps
 * where each value comes from.
 */

import { isNumeric } from '../../base/exact-number';
import { pointerTo } from '../../base/json-pointer';
import { setOwn } from '../../base/plain-object';
import type { SourceFile, SourceLocation } from '../source/source-files';
import type { Location } from './json-path';

/** An object or a list, by its keys. */
export type Holder = Record<string, unknown>;

/** Tells whether a value is an object or a list. */
export const isHolder = (value: unknown): value is Holder =>
  typeof value === 'object' && value !== null && !isNumeric(value);

/** The values of a file while they are changed. */
export class ChangeableTree {
  /** A copy, like everything that is changed. */
  readonly value: Holder;
  /** The origins of the members of each copy, in an object or a list like it. */
  readonly #copies = new Map<Holder, Holder>();
  readonly #start: SourceLocation;

  /** @param file one whose value is an object or a list */
  constructor(file: SourceFile) {
    this.#start = { file, pointer: '' };
    this.value = this.#copy(Object(file.value), this.#start);
  }

  #copy(value: Holder, { file, pointer }: SourceLocation): Holder {
    const [copy, origins]: unknown[] = Array.isArray(value) ? [[...value], []] : [{ ...value }, {}];
    for (const key of Object.keys(value)) {
      setOwn(origins as Holder, key, { file, pointer: pointerTo(pointer, key) });
    }
    this.#copies.set(copy as Holder, origins as Holder);
    return copy as Holder;
  }

  /** Returns where a member of a copy comes from. */
  originOf(holder: Holder, key: string): SourceLocation {
    return (this.#copies.get(holder)?.[key] ?? this.#start) as SourceLocation;
  }

  /** Tells whether an object or a list is other than in the file. */
  isChanged(value: unknown): value is Holder {
    return isHolder(value) && this.#copies.has(value);
  }

  /** Gives an object or a list that is a member of a copy, to be changed. */
  child(holder: Holder, key: string): Holder {
    const part = holder[key];
    if (this.isChanged(part)) return part;
    const copy = this.#copy(Object(part), this.originOf(holder, key));
    setOwn(holder, key, copy);
    return copy;
  }

  /** Gives the object or list at a place, to be changed. */
  at(place: Location): Holder {
    return place.reduce<Holder>((holder, key) => this.child(holder, String(key)), this.value);
  }

  /** Sets a member of a copy. */
  set(holder: Holder, key: string, value: unknown, origin: SourceLocation): void {
    setOwn(holder, key, value);
    setOwn(this.#copies.get(holder) ?? {}, key, origin);
  }

  /** Removes members of a copy. */
  remove(holder: Holder, keys: ReadonlySet<string>): void {
    // From the end on, so that no item of a list moves before its turn.
    const ordered = [...keys].sort((one, other) => Number(other) - Number(one));
    for (const members of [holder, this.#copies.get(holder) ?? {}]) {
      for (const key of ordered) {
        if (Array.isArray(members)) members.splice(Number(key), 1);
        else Reflect.deleteProperty(members, key);
      }
    }
  }

  /** Lists the parts that do not come from where they stand, by their pointers. */
  *origins(holder = this.value, at = '', base = this.#start): Generator<[string, SourceLocation]> {
    for (const key of Object.keys(holder)) {
      const origin = this.originOf(holder, key);
      const pointer = pointerTo(at, key);
      const isMoved = origin.file !== base.file || origin.pointer !== pointerTo(base.pointer, key);
      if (isMoved) yield [pointer, origin];
      const part = holder[key];
      if (this.isChanged(part)) yield* this.origins(part, pointer, origin);
    }
  }
}
