/** JSON text to a plain value: JSON.parse where it is exact, the strict parser where it may not be. */

import type { ReadLimits } from './codec';
import { parseJsonStrictly } from './json-parser';
import { isPlainObject } from './plain-object';
import { readLimits } from './read-limits';

/** What JSON.parse rounds (long numbers) or lets through (U+0000, halves of surrogate pairs), or may do so. */
const SUSPICIOUS = /[0-9]{16}|\\u(?:0000|[dD][89a-fA-F])|\p{Surrogate}/u;
const KEY_ENDS = /"[ \t\n\r]*:/g;

/** Parses JSON exactly; see parseJsonStrictly for what is refused. JSON.parse alone decides the common case. */
export function parseJson(text: string, limits = readLimits): unknown {
  if (SUSPICIOUS.test(text)) return parseJsonStrictly(text, limits);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return parseJsonStrictly(text, limits);
  }
  // Each member ends its key by a quote and a colon. As many members as such ends: no key was given twice.
  const keyEnds = text.match(KEY_ENDS)?.length ?? 0;
  return countMembers(value, limits) === keyEnds ? value : parseJsonStrictly(text, limits);
}

/** Counts the members of all objects; NaN where the value is beyond the limits or the range of numbers. */
function countMembers(value: unknown, limits: ReadLimits): number {
  let nodes = 0;
  const count = (inner: unknown, depth: number): number => {
    nodes += 1;
    if (nodes > limits.nodes || depth > limits.depth) return Number.NaN;
    if (typeof inner === 'number') return inner - inner;
    if (Array.isArray(inner)) return sum(inner, depth);
    return isPlainObject(inner) ? countObject(inner, depth) : 0;
  };
  const sum = (array: readonly unknown[], depth: number): number => {
    let members = 0;
    for (const item of array) {
      members += count(item, depth + 1);
      if (Number.isNaN(members)) break;
    }
    return members;
  };
  const countObject = (object: object, depth: number): number => {
    const values = Object.values(object);
    return values.length + sum(values, depth);
  };
  return count(value, 0);
}
