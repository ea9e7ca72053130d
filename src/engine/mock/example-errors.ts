/** Reads examples, and finds those that do not fit their schema (OAS 3.0.3, Schema, Media Type and Parameter Objects). */

import { pointerSteps, pointerTo } from '../../base/json-pointer';
import { isPlainObject } from '../../base/plain-object';
import type { Diagnostic } from '../../document/diagnostics/diagnostic';
import type { LoadedDocument } from '../../document/document';
import { readExamples } from '../../document/read/read-parameter';
import type { DocumentObject } from '../../document/structure/positions';
import type { Schema } from '../../model/schema';
import { isOpen, isScalar, ownChecks } from '../../schema/samples/sample-checks';
import { planOf, typedValue } from '../../schema/samples/sample-plan';
import { readerOf } from '../media-types/codec/codec';
import type { SchemaContext } from '../media-types/schema-context';

/**
 * Makes the reader of examples of one media type: gives typed values. A text that is not of the media type stays text.
 * @param mediaType undefined where an example is plain JSON, as below a schema
 */
export const exampleReader = (
  mediaType: string | undefined,
  schema: Schema,
  { shapeOf, codecs }: SchemaContext,
): ((example: unknown) => unknown) => {
  const shape = shapeOf(schema);
  const type = typedValue(schema, shapeOf);
  const codec = mediaType === undefined ? undefined : codecs.contentCodec(mediaType, shape);
  const read = codec && readerOf(codec, shape, 'storage');
  return (example) => {
    if (read === undefined || typeof example !== 'string' || shape.type === 'string') {
      return type(example);
    }
    try {
      return read(example);
    } catch {
      return example;
    }
  };
};

interface ExampleError {
  /** Of the example. */
  readonly pointer: string;
  /** One sentence. */
  readonly message: string;
}

interface Examined {
  readonly schema: Schema;
  readonly mediaType: string | undefined;
  readonly examples: readonly { readonly pointer: string; readonly value: unknown }[];
}

type Examinable = Pick<LoadedDocument, 'objects' | 'references' | 'readSchema' | 'locate'>;

const schemaExample = (
  { value, pointer }: DocumentObject,
  { readSchema }: Examinable,
): Examined[] => {
  if ('$ref' in value || value['example'] === undefined) return [];
  const example = { pointer: pointerTo(pointer, 'example'), value: value['example'] };
  const schema = readSchema(value, pointer);
  return [{ schema, mediaType: undefined, examples: [example] }];
};

const holderExamples = (
  { value, pointer, name }: DocumentObject,
  { references, readSchema }: Examinable,
): Examined[] => {
  if ('$ref' in value || !isPlainObject(value['schema'])) return [];
  const mediaType = name === 'MediaType' ? pointerSteps(pointer).at(-1) : undefined;
  const examples = readExamples(value, pointer, references);
  const schema = readSchema(value['schema'], pointerTo(pointer, 'schema'));
  return examples.length === 0 ? [] : [{ schema, mediaType, examples }];
};

const examined = (found: DocumentObject, document: Examinable): Examined[] => {
  switch (found.name) {
    case 'Schema':
      return schemaExample(found, document);
    case 'MediaType':
    case 'Parameter':
    case 'Header':
      return holderExamples(found, document);
    default:
      return [];
  }
};

/** Says why a value does not fit; undefined where it fits. Most schemas are scalars, which need no compiled validator. */
const errorIn = (schema: Schema, value: unknown, tools: SchemaContext): string | undefined => {
  const plan = planOf([schema]);
  if (isScalar(plan) && !isOpen(plan)) {
    return ownChecks(plan).find((check) => !check.accepts(value))?.message;
  }
  // In any direction: an example may be of a request, of a response, or of both.
  if (tools.validators.accepts(schema)(value)) return undefined;
  const [error] = (['response', 'request'] as const).flatMap((direction) =>
    tools.validators.validatorOf(schema, direction)(value),
  );
  return error === undefined ? 'does not fit' : `${error.path} ${error.message}`.trim();
};

const isReadable = (
  mediaType: string | undefined,
  schema: Schema,
  { shapeOf, codecs }: SchemaContext,
) =>
  mediaType === undefined ||
  codecs.codecFor(mediaType) !== undefined ||
  codecs.contentCodec(mediaType, shapeOf(schema)) !== undefined;

const problemsOf = (
  { schema, mediaType, examples }: Examined,
  tools: SchemaContext,
): ExampleError[] => {
  try {
    // Text in a format that we do not read cannot be held to a schema.
    if (!isReadable(mediaType, schema, tools)) return [];
    const read = exampleReader(mediaType, schema, tools);
    return examples.flatMap(({ pointer, value }) => {
      const error = errorIn(schema, read(value), tools);
      const message = `The example does not fit its schema: ${error}. Change it; mocks do not use it.`;
      return error === undefined ? [] : [{ pointer, message }];
    });
  } catch {
    // Another rule reports a schema that cannot be used.
    return [];
  }
};

/**
 * Holds every example of a document to its schema, one step for each holder of examples. Compiles a validator for each
 * schema of an object or list that has examples, and so takes time in proportion to the document.
 * @example for (const problems of exampleProblems(document, schemaContext(document))) report(problems);
 */
export function* exampleProblems(
  document: Examinable,
  tools: SchemaContext,
): Generator<readonly Diagnostic[]> {
  for (const found of document.objects) {
    for (const one of examined(found, document)) {
      yield problemsOf(one, tools).map((error) =>
        document.locate({ severity: 'warning', rule: 'example', ...error }),
      );
    }
  }
}
