/** Objects to urlencoded text: arrays as repeated keys, objects as JSON text (OAS 3.0.4, Encoding Object). */

import type { Direction, Writer } from './codec';
import { jsonWriter, writeJson } from './json-writer';
import { isPlainObject } from './plain-object';
import type { Shape } from './shape';

const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Compiles the writer of a form. null and undefined have no text and are left out. */
export function formWriter(shape: Shape, direction: Direction): Writer {
  const writers = new Map(
    [...shape.properties]
      .filter(([, property]) => direction !== 'reply' || !property.writeOnly)
      .map(([name, property]) => [name, jsonWriter(property, direction)]),
  );
  const { additional } = shape;
  const writeUndeclared =
    typeof additional === 'object' ? jsonWriter(additional, direction) : writeJson;
  const writerOf = (name: string) =>
    writers.get(name) ?? (shape.properties.has(name) ? undefined : writeUndeclared);
  return (value) => {
    if (!isPlainObject(value)) return '';
    return Object.entries(value)
      .flatMap(([name, item]) => writeProperty(name, item, writerOf(name)))
      .join('&');
  };
}

function writeProperty(name: string, value: unknown, write: Writer | undefined): string[] {
  if (write === undefined || value === undefined || value === null) return [];
  return textsOf(value, write).map((text) => `${encodeFormText(name)}=${encodeFormText(text)}`);
}

/** Scalars are their own text, arrays of scalars one text each; what has structure is one JSON text. */
function textsOf(value: unknown, write: Writer): readonly string[] {
  if (Array.isArray(value) && value.every(isScalar)) return value.map(String);
  return [isScalar(value) ? String(value) : write(value)];
}

const isScalar = (value: unknown): boolean => typeof value !== 'object';

/** Encodes a key or value; halves of surrogate pairs become U+FFFD. */
const encodeFormText = (text: string): string =>
  encodeURIComponent(text.replace(LONE_SURROGATES, '\uFFFD')).replaceAll('%20', '+');
