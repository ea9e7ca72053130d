/** Reads examples, and finds those that do not fit their schema (OAS 3.0.3, Schema, Media Type and Parameter Objects). */

import type { Diagnostic } from '../../document/diagnostics/diagnostic';
import type { LoadedDocument } from '../../document/document';
import type { DeclaredExamples } from '../../document/read/declared-parts';
import { errorProblems, readerOf, type SchemaContext } from '../../engine';
import type { Example } from '../../model/operation';
import type { Schema } from '../../model/schema';
import { isOpen, isScalar, ownChecks } from '../../schema/samples/sample-checks';
import { planOf, typedValue } from '../../schema/samples/sample-plan';

/**
 * Makes the reader of examples of one media type: gives typed values. A text that is not of the media type stays text,
 * as does one of a media type that is not read.
 * @param mediaType undefined where an example is plain JSON, as below a schema
 */
export const exampleReader = (
  mediaType: string | undefined,
  schema: Schema,
  { shapeOf, codecs }: SchemaContext,
): ((example: Pick<Example, 'value' | 'isData' | 'serialized'>) => unknown) => {
  const shape = shapeOf(schema);
  const type = typedValue(schema, shapeOf);
  const codec = mediaType === undefined ? undefined : codecs.contentCodec(mediaType, shape);
  const read = codec && readerOf(codec, shape, 'storage');
  return ({ value, isData, serialized = '' }) => {
    const isText = typeof value === 'string' && shape.type !== 'string' && !isData;
    if (value !== undefined && !isText) return type(value);
    // This text may be written in the media type.
    const text = isText ? value : serialized;
    if (read === undefined) return type(text);
    try {
      return read(text);
    } catch {
      return text;
    }
  };
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

/** Lists the examples that do not fit, by their pointers, with one sentence each. */
const problemsOf = ({ schema, mediaType, examples }: DeclaredExamples, tools: SchemaContext) => {
  try {
    // Text in a format that we do not read cannot be held to a schema.
    const readable =
      mediaType === undefined ||
      tools.codecs.codecFor(mediaType) !== undefined ||
      tools.codecs.contentCodec(mediaType, tools.shapeOf(schema)) !== undefined;
    const read = exampleReader(mediaType, schema, tools);
    return examples
      .filter(({ isData }) => readable || isData)
      .flatMap((example) => {
        const error = errorIn(schema, read(example), tools);
        const message = `The example does not fit its schema: ${error}. Change it; mocks do not use it.`;
        return error === undefined ? [] : [{ pointer: example.pointer, message }];
      });
  } catch {
    // Another rule reports a schema that cannot be used.
    return [];
  }
};

/**
 * Holds every example of a document to its schema, one step for each holder of examples, and the server's own errors to those that
 * have no example. Compiles a validator for each schema of an object or list, and so takes time in proportion to the document.
 * @example for (const problems of exampleProblems(document, schemaContext(document))) report(problems);
 */
export function* exampleProblems(
  document: Pick<LoadedDocument, 'declared' | 'operations' | 'locate'>,
  tools: SchemaContext,
): Generator<readonly Diagnostic[]> {
  for (const declared of document.declared.examples) {
    yield problemsOf(declared, tools).map((error) =>
      document.locate({ severity: 'warning', rule: 'example', ...error }),
    );
  }
  yield* errorProblems(document, tools);
}
