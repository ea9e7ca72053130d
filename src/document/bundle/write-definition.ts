/** Writes a definition as JSON and as YAML; its numbers keep the digits that they were written with. */

import { type ScalarTag, stringify } from 'yaml';
import { writeJson } from '../../base/json/write-json';
import { pointerSteps, valueAt } from '../../base/json-pointer';
import { isPlainObject } from '../../base/plain-object';
import { numberText } from '../source/exact-numbers';

type Replacements = ReadonlyMap<unknown, object>;

/**
 * Writes a value as JSON.
 * @param replacements what is written in place of objects in it
 */
export const definitionJson = (given: unknown, replacements: Replacements = new Map()): string => {
  const value = replacements.get(given) ?? given;
  const member = (holder: object, key: string, item: unknown): string =>
    numberText(holder, key) ?? definitionJson(item, replacements);
  if (Array.isArray(value)) {
    return `[${value.map((item, index) => member(value, String(index), item)).join(',')}]`;
  }
  if (!isPlainObject(value)) return writeJson(value);
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${writeJson(key)}:${member(value, key, item)}`);
  return `{${members.join(',')}}`;
};

/** A value as the document spells it. */
export interface Spelling {
  /** JSON text, written when it is read. */
  readonly text: string;
}

/** Finds what stands at a pointer; undefined where nothing does. */
export const spelledAt = (definition: object, pointer: string): Spelling | undefined => {
  const value = valueAt(definition, pointer);
  if (value === undefined) return undefined;
  const holder = valueAt(definition, pointer.slice(0, Math.max(pointer.lastIndexOf('/'), 0)));
  const key = pointerSteps(pointer).at(-1) ?? '';
  return {
    get text() {
      const exact = typeof holder === 'object' && holder && numberText(holder, key);
      return exact || definitionJson(value);
    },
  };
};

/** The depth of paths and components: deep enough that no part is long. */
const PARTS_DEPTH = 3;

/** Writes the same text in parts, so that other requests are served between them. */
export function* definitionJsonParts(
  given: unknown,
  replacements: Replacements = new Map(),
  depth = PARTS_DEPTH,
): Generator<string> {
  const value = replacements.get(given) ?? given;
  if (depth === 0 || !isPlainObject(value)) {
    yield definitionJson(value, replacements);
    return;
  }
  let separator = '';
  yield '{';
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    yield `${separator}${writeJson(key)}:`;
    const text = numberText(value, key);
    if (text === undefined) yield* definitionJsonParts(item, replacements, depth - 1);
    else yield text;
    separator = ',';
  }
  yield '}';
}

/** A number as it was written, where no double holds it. */
class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const numberTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof NumberText,
  resolve: (text) => new NumberText(text),
  stringify: ({ value }) => (value instanceof NumberText ? value.text : String(value)),
};

function withNumberText(this: unknown, key: unknown, value: unknown): unknown {
  if (typeof value !== 'number' || typeof this !== 'object' || this === null) return value;
  const text = numberText(this, String(key));
  return text === undefined ? value : new NumberText(text);
}

/** Begins a text of several lines deeper; lines without a text stay so. */
const indented = (text: string, depth: number): string =>
  depth === 0 ? text : text.replaceAll(/(?<=^|\n)(?=[^\n])/g, '  '.repeat(depth));

/**
 * Writes a definition as YAML, in parts.
 * @param replacements what is written in place of objects in it
 */
export function* definitionYamlParts(
  definition: object,
  replacements: Replacements = new Map(),
  depth = 0,
): Generator<string> {
  function replaced(this: unknown, key: unknown, value: unknown): unknown {
    return replacements.get(value) ?? withNumberText.call(this, key, value);
  }
  const write = (value: object): string =>
    stringify(value, replaced, {
      // A part that stands in several places is written out in each: not every reader of YAML knows aliases.
      aliasDuplicateObjects: false,
      lineWidth: 0,
      customTags: (tags) => [...tags, numberTag],
    });
  for (const [key, given] of Object.entries(definition)) {
    if (given === undefined) continue;
    const value: unknown = replaced.call(definition, key, given);
    const empty = write({ [key]: {} });
    const isLong = isPlainObject(value) && Object.keys(value).length > 0;
    if (depth + 1 < PARTS_DEPTH && isLong && empty.endsWith(': {}\n')) {
      yield indented(empty.replace(/ \{\}\n$/, '\n'), depth);
      yield* definitionYamlParts(value, replacements, depth + 1);
    } else yield indented(write({ [key]: value }), depth);
  }
}
