/** Reads examples, and finds those that do not fit their schema (OAS 3.0.3, Schema, Media Type and Parameter Objects). */

import type { Diagnostic } from '../../document/diagnostics/diagnostic';
import type { LoadedDocument } from '../../document/document';
import type { DeclaredExamples } from '../../document/read/declared-parts';
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
  { schema, mediaType, examples }: DeclaredExamples,
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
  document: Pick<LoadedDocument, 'declared' | 'locate'>,
  tools: SchemaContext,
): Generator<readonly Diagnostic[]> {
  for (const one of document.declared.examples) {
    yield problemsOf(one, tools).map((error) =>
      document.locate({ severity: 'warning', rule: 'example', ...error }),
    );
  }
}
