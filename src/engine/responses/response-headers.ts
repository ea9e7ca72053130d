/** Holds responses to their schemas where they are checked at all, and writes their headers: declared ones by their schemas, others as they are (OAS 3.0.3, Header Object). */

import { validateHeaderValue } from 'node:http';
import type { Parameter } from '../document/model/operation';
import { simpleLayout } from '../parameters/layout';
import { textReader } from '../parameters/typed-value';
import { keepText } from '../schema/scalars';
import type { Schema, Shape, ShapeOf } from '../schema/shape';
import type { Validators } from '../schema/validation/compile-validators';

/** What responses are compiled from. */
export interface ResponseContext {
  readonly shapeOf: ShapeOf;
  readonly validators: Validators;
  /** Whether each response is checked before it is sent. */
  readonly validateResponses: boolean;
}

/** Throws where a value is not what its schema says; the index is given for an item of a list that is checked by itself. */
export type Check = (value: unknown, index?: number) => void;

/** Checks a value of the response, if responses are checked at all. */
export const compileCheck = (
  what: string,
  schema: Schema | undefined,
  tools: ResponseContext,
): Check => {
  if (!tools.validateResponses || schema === undefined) return () => undefined;
  const validate = tools.validators.validatorOf(schema, 'response');
  return (value, index) => {
    const [error] = validate(value);
    if (error === undefined) return;
    const path = index === undefined ? error.path : `/${index}${error.path}`;
    throw new Error(`The response's ${what}${path} ${error.message}`);
  };
};

// RFC 9110 section 5.5: a field value is one line.
const lineBreaks = /[\r\n]+/g;

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

/** bigint and number in decimal, bytes in base64, an absent value as nothing. */
const writeText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (isBytes(value)) return Buffer.from(value).toString('base64');
  return String(value).replace(lineBreaks, ' ');
};

const sentEntries = (value: object, shape: Shape): [string, unknown][] =>
  Object.entries(value).filter(
    ([key, member]) => member !== undefined && shape.properties.get(key)?.writeOnly !== true,
  );

/**
 * `blue,black` for arrays; for objects `R,100,G,200`, with explode `R=100,G=200`. Nothing is percent-encoded: the text is
 * a header's value.
 */
export const writeSimple = (value: unknown, shape: Shape, explode: boolean): string => {
  if (Array.isArray(value)) return value.map(writeText).join(',');
  if (typeof value !== 'object' || value === null || isBytes(value)) return writeText(value);
  const delimiter = explode ? '=' : ',';
  return sentEntries(value, shape)
    .map(([key, member]) => `${writeText(key)}${delimiter}${writeText(member)}`)
    .join(',');
};

/** Turns the values of headers into texts, those that are declared by their schemas. Throws where one cannot be sent. */
export type WriteHeaders = (
  headers: Readonly<Record<string, unknown>>,
) => Record<string, string | string[]>;

/** Values of undeclared headers: text, or a list of texts sent as repeated fields. */
const plainHeader = (value: unknown): string | string[] =>
  Array.isArray(value) ? value.map(String) : String(value);

/** What the server itself says of a message and its connection (RFC 9110 sections 6.6.1, 7.6.1 and 8.6); responses do not. */
const ownHeaders = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A declared header in simple style (OAS 3.0.3, Header Object), checked as its reader will see it. */
export const compileHeader = (
  header: Parameter,
  tools: ResponseContext,
): ((value: unknown) => string) => {
  const shape = tools.shapeOf(header.schema);
  const read = textReader(shape, simpleLayout(header.explode), keepText);
  const check = compileCheck(`header ${header.name}`, header.schema, tools);
  return (value) => {
    const text = writeSimple(value, shape, header.explode);
    check(read(text));
    return text;
  };
};

/** Whether a response says nothing of the header, because the server does. */
export const isBuiltInHeader = (name: string): boolean => ownHeaders.has(name.toLowerCase());

/** Declared headers are written by their schema, others as they are; names are case-insensitive (RFC 9110 section 5.1). */
export const headersWriter = (
  declared: readonly Parameter[],
  tools: ResponseContext,
): WriteHeaders => {
  const writers = new Map(
    declared.map((header) => [header.name.toLowerCase(), compileHeader(header, tools)]),
  );
  const required = declared
    .filter(({ name, required: isRequired }) => isRequired && !isBuiltInHeader(name))
    .map(({ name }) => name);
  return (headers) => {
    const given = Object.entries(headers).filter(
      ([name, value]) => value !== undefined && !isBuiltInHeader(name),
    );
    const names = new Set(given.map(([name]) => name.toLowerCase()));
    const missing = required.find((name) => !names.has(name.toLowerCase()));
    if (missing !== undefined) throw new Error(`The response lacks the header ${missing}`);
    return Object.fromEntries(
      given.map(([name, value]) => {
        const text = (writers.get(name.toLowerCase()) ?? plainHeader)(value);
        // What no header can carry must fail here, where it can still be answered and logged.
        for (const line of [text].flat()) validateHeaderValue(name, line);
        return [name, text];
      }),
    );
  };
};
