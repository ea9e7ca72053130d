/** Writes a definition as JSON and as YAML; its numbers keep their digits. */

import { type ScalarTag, stringify } from 'yaml';
import { NumberText } from '../../base/decimal';
import { writeJson, writeMembers } from '../../base/json/write-json';
import { valueAt } from '../../base/json-pointer';
import { withLate } from '../../base/memoize';
import { isPlainObject } from '../../base/plain-object';

type Replacements = ReadonlyMap<unknown, object>;

/**
 * Writes a value as JSON.
 * @param replacements what is written in place of objects in it
 */
export const definitionJson = (given: unknown, replacements: Replacements = new Map()): string => {
  const value = replacements.get(given) ?? given;
  const write = (item: unknown): string => definitionJson(item, replacements);
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  return isPlainObject(value) ? writeMembers(value, () => undefined, write) : writeJson(value);
};

/** A value as the document spells it. */
export interface Spelling {
  /** JSON text, written when it is read. */
  readonly text: string;
}

/** Finds what stands at a pointer; undefined where nothing does. */
export const spelledAt = (definition: object, pointer: string): Spelling | undefined => {
  const value = valueAt(definition, pointer);
  return value === undefined ? undefined : withLate({}, { text: () => definitionJson(value) });
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
    yield* definitionJsonParts(item, replacements, depth - 1);
    separator = ',';
  }
  yield '}';
}

/** A number as YAML writes it, where its text is kept. */
export const numberTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof NumberText,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
};

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
  const replaced = (_key: unknown, value: unknown): unknown => replacements.get(value) ?? value;
  const write = (value: object): string =>
    stringify(value, replaced, {
      // A part that stands in several places is written out in each: not every reader of YAML knows aliases.
      aliasDuplicateObjects: false,
      lineWidth: 0,
      customTags: (tags) => [...tags, numberTag],
    });
  for (const [key, field] of Object.entries(definition)) {
    if (field === undefined) continue;
    const value = replaced(key, field);
    const empty = write({ [key]: {} });
    const isLong = isPlainObject(value) && Object.keys(value).length > 0;
    if (depth + 1 < PARTS_DEPTH && isLong && empty.endsWith(': {}\n')) {
      yield indented(empty.replace(/ \{\}\n$/, '\n'), depth);
      yield* definitionYamlParts(value, replacements, depth + 1);
    } else yield indented(write({ [key]: value }), depth);
  }
}
