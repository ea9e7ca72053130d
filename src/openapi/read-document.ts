/** Reads one YAML or JSON file into plain values, remembering where in the file each value stands. */

import { isCollection, isNode, LineCounter, parseDocument } from 'yaml';
import { pointerSteps } from './json-pointer';

/** A file's content. */
export interface ReadDocument {
  /** Plain values: integers beyond 2^53 are `bigint`, everything else as JSON has it. */
  readonly value: unknown;
  /** Where the value under a pointer stands; where its nearest existing ancestor does, if it does not exist. */
  locate(pointer: string): { readonly line: number; readonly column: number };
}

/** Aliases may repeat a node this often; more is taken for an attack (a "billion laughs" document). */
const maxAliasCount = 1000;

/** YAML gives every integer as bigint, so that none is rounded; those that fit become numbers. */
const settleIntegers = (value: unknown): unknown => {
  if (typeof value === 'bigint') {
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
      ? Number(value)
      : value;
  }
  if (Array.isArray(value)) return value.map(settleIntegers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, settleIntegers(item)]),
  );
};

/** The syntax tree's node under a pointer, or the nearest one above it. */
const nearestNode = (root: unknown, pointer: string): unknown => {
  let node = root;
  for (const step of pointerSteps(pointer)) {
    // A key such as 200 may stand there as a number.
    const next = isCollection(node)
      ? (node.get(step, true) ?? node.get(Number(step), true))
      : undefined;
    if (!isNode(next)) break;
    node = next;
  }
  return node;
};

/**
 * Parses YAML 1.2 (core schema, so that dates and `no` stay text; JSON is a part of it).
 * @throws Error with line and column where the text is not YAML or a key stands twice.
 */
export const readDocument = (text: string): ReadDocument => {
  const lines = new LineCounter();
  const tree = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    intAsBigInt: true,
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: false,
  });
  const fault = tree.errors[0];
  if (fault !== undefined) {
    const at = lines.linePos(fault.pos[0]);
    throw new Error(`${at.line}:${at.col} ${fault.message}`);
  }
  const value = settleIntegers(tree.toJS({ maxAliasCount }));
  return {
    value,
    locate(pointer) {
      const node = nearestNode(tree.contents, pointer);
      const at = lines.linePos(isNode(node) ? (node.range?.[0] ?? 0) : 0);
      return { line: at.line, column: at.col };
    },
  };
};
