/** JSON as the engine reads and writes it: exact integers, no repeated keys, types strict. JSON.parse decides where it is exact. */

import { lazy } from '../../../base/memoize';
import { compileCoercion } from '../../schema/coercion';
import type { Shape } from '../../schema/shape';
import { type Codec, type ReadLimits, readLimits } from '../codec/codec';
import { parseJsonStrictly } from './json-parser';
import { jsonListWriter, jsonWriter } from './json-writer';

/** What JSON.parse rounds (long numbers) or lets through (U+0000, halves of surrogate pairs), or may do so. */
const SUSPICIOUS = /[0-9]{16}|\\u(?:0000|[dD][89a-fA-F])|\p{Surrogate}/u;
const KEY_ENDS = /"[ \t\n\r]*:/g;

/** Parses JSON exactly; see parseJsonStrictly for what is refused. JSON.parse alone decides the common case. */
export function parseJson(text: string, limits = readLimits): unknown {
  if (SUSPICIOUS.test(text)) return parseJsonStrictly(text, limits);
  const keyEnds = countKeyEnds(text);
  // So many might be of one object, and JSON.parse would read them all.
  if (keyEnds > 10 * limits.names) return parseJsonStrictly(text, limits);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return parseJsonStrictly(text, limits);
  }
  // Each member ends its key by a quote and a colon. As many members as such ends: no key was given twice.
  return countMembers(value, limits) === keyEnds ? value : parseJsonStrictly(text, limits);
}

/** What has been stored keeps its names when fewer are allowed. */
const writtenLimits: ReadLimits = { ...readLimits, names: Number.POSITIVE_INFINITY };

/** Sixteen digits may be more than a double holds. */
const LONG_NUMBER = /[0-9]{16}/;

/**
 * Parses a text that our own writer made: exactly as parseJson does, and without looking for what that writer never writes (a
 * key twice, half of a surrogate pair).
 */
export const parseWrittenJson = (text: string, limits = writtenLimits): unknown =>
  LONG_NUMBER.test(text) ? parseJsonStrictly(text, limits) : JSON.parse(text);

function countKeyEnds(text: string): number {
  let count = 0;
  KEY_ENDS.lastIndex = 0;
  while (KEY_ENDS.test(text)) count += 1;
  return count;
}

/** Counts the members of all objects; NaN where the value is beyond the limits or the range of numbers. */
function countMembers(root: unknown, limits: ReadLimits): number {
  let nodes = 1;
  const count = (value: unknown, depth: number): number => {
    if (typeof value === 'number') return value - value;
    return typeof value === 'object' && value !== null ? countInside(value, depth) : 0;
  };
  const countInside = (value: object, depth: number): number => {
    const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    nodes += inner.length;
    if (depth === limits.depth || nodes > limits.nodes) return Number.NaN;
    const members = inner === value ? 0 : inner.length;
    if (members > limits.names) return Number.NaN;
    return members + countAll(inner, depth + 1);
  };
  const countAll = (values: readonly unknown[], depth: number): number => {
    let members = 0;
    for (const value of values) members += count(value, depth);
    return members;
  };
  return count(root, 0);
}

/** The codec of application/json and every `+json` type (RFC 8259, RFC 6839). */
export const jsonCodec: Codec = {
  name: 'json',
  reader(shape, direction, limits) {
    const coerce = compileCoercion(shape, direction);
    return (text) => coerce(parseJson(text, limits));
  },
  writer: (shape, direction) => jsonWriter(shape, direction),
  listWriter: jsonListWriter,
};

/**
 * Compiles the readers of what `jsonWriter` wrote of values of the shape, all of their properties: `read` takes one text,
 * `readItems` texts joined by commas. `readFilled` takes a text that another shape wrote: absent properties take their default.
 */
export const serializedJsonReader = (shape: Shape) => {
  const coerce = compileCoercion(shape, 'storage');
  const fill = lazy(() => compileCoercion(shape, 'upgrade'));
  return {
    readFilled: (text: string): unknown => fill()(parseWrittenJson(text)),
    read: (text: string): unknown => coerce(parseWrittenJson(text)),
    readItems: (texts: string): unknown[] =>
      (parseWrittenJson(`[${texts}]`) as unknown[]).map((item) => coerce(item)),
  };
};
