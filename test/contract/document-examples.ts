/** Finds the examples of an OpenAPI 3.0 document and holds each against the schema that it illustrates. */

import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { lookUp, type Node, node, nodesOf } from './document-facts';

/** One example: where it stands, what it says, and the pointer of its schema. */
export interface DocumentExample {
  readonly place: string;
  readonly schemaPointer: string;
  readonly value: unknown;
}

// A parameter, header or media type has its schema beside the example; a schema illustrates itself.
const schemaPointerOf = (pointer: string, holder: Node): string =>
  'schema' in holder ? `${pointer}/schema` : pointer;

/** Every `example` and every entry of `examples`, references followed (OAS 3.0.3, Example Object). */
export const examplesOf = (document: Node): readonly DocumentExample[] =>
  nodesOf(document).flatMap(([pointer, holder]) => {
    if (pointer.startsWith('#/components/examples') || pointer === '#/components') return [];
    const schemaPointer = schemaPointerOf(pointer, holder);
    const named = Object.entries(node(holder['examples'])).map(([name, entry]) => {
      const { $ref } = node(entry);
      const example = typeof $ref === 'string' ? node(lookUp(document, $ref)) : node(entry);
      return { place: `${pointer}/examples/${name}`, schemaPointer, value: example['value'] };
    });
    const own = { place: `${pointer}/example`, schemaPointer, value: holder['example'] };
    return 'example' in holder ? [own, ...named] : named;
  });

// OAS 3.0 writes an excluded maximum as a boolean beside it, JSON Schema since draft 06 as the number itself.
const withNumericBounds = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withNumericBounds);
  if (typeof value !== 'object' || value === null) return value;
  const changed = Object.entries(value).map(([key, entry]) => [key, withNumericBounds(entry)]);
  const plain = node(Object.fromEntries(changed));
  return plain['exclusiveMaximum'] === true
    ? { ...plain, exclusiveMaximum: plain['maximum'] }
    : plain;
};

/** What is wrong with the examples of a document: one line for each that does not fit its schema. */
export const faultyExamples = (document: Node): readonly string[] => {
  const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
  ajv.addSchema(node(withNumericBounds(document)), 'document');
  return examplesOf(document).flatMap(({ place, schemaPointer, value }) => {
    const fragment = schemaPointer.split('/').map(encodeURIComponent).join('/').slice(3);
    const fits = ajv.compile({ $ref: `document#${fragment}` });
    return fits(value) ? [] : [`${place}: ${ajv.errorsText(fits.errors)}`];
  });
};
