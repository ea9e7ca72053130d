/** The body and the headers of a mock: examples of the document's, else values made from schemas. */

import type { MediaType, Parameter } from '../document/model/operation';
import type { SchemaContext } from '../document/model/schema-context';
import { isPlainObject } from '../lang/plain-object';
import { contentCodec } from '../media-types/codecs';
import { jsonWriter } from '../media-types/json/json-writer';
import type { HandlerResponse } from '../responses/response';
import { compileHeader, isBuiltInHeader } from '../responses/response-headers';
import type { Schema } from '../schema/shape';
import { exampleReader } from './example-errors';
import { exemplaryValues, planOf } from './samples/sample-plan';
import { sampleValue } from './samples/sample-value';

/** Values by name, or a sentence saying why one has none. */
type MockHeaders =
  | { readonly headers: Readonly<Record<string, unknown>> }
  | { readonly reason: string };

const hasExample = ({ examples = [], schema }: Parameter, tools: SchemaContext): boolean =>
  examples.length > 0 || exemplaryValues(planOf([schema], tools.references)).length > 0;

/** A value that can be written and reads back as what the schema says; undefined where none was found. */
const headerValue = (header: Parameter, tools: SchemaContext): unknown => {
  const { examples = [], schema } = header;
  const sample = sampleValue(
    schema,
    tools,
    examples.map(({ value }) => value),
  );
  if ('reason' in sample) return undefined;
  try {
    compileHeader(header, { ...tools, validateResponses: true })(sample.value);
    return sample.value;
  } catch {
    return undefined;
  }
};

/** Makes the headers of one response. */
export const mockHeaders = (declared: readonly Parameter[], tools: SchemaContext): MockHeaders => {
  const wanted = declared.filter(
    (header) => !isBuiltInHeader(header.name) && (header.required || hasExample(header, tools)),
  );
  const headers = wanted.map((header) => ({ header, value: headerValue(header, tools) }));
  const missing = headers.find(({ header, value }) => header.required && value === undefined);
  if (missing !== undefined) {
    return { reason: `no value was found for the header ${missing.header.name}` };
  }
  return { headers: Object.fromEntries(headers.map(({ header, value }) => [header.name, value])) };
};

const mockProperty = 'x-mock';

/** What a response carries, or a sentence saying why there is none. */
type MockBody = Pick<HandlerResponse, 'body' | 'serialized'> | { readonly reason: string };

/** The examples in the order in which they are tried. */
const exampleValues = ({ examples = [] }: MediaType, preferred: string | undefined): unknown[] => {
  const isPreferred = ({ name }: { readonly name: string | undefined }) =>
    name !== undefined && name === preferred;
  return [
    ...examples.filter(isPreferred),
    ...examples.filter((example) => !isPreferred(example)),
  ].map(({ value }) => value);
};

/**
 * Says in the value that it is a mock's, where the schema leaves room for that: an object gets `x-mock`, a text begins
 * with `mock`. Nobody shall take a made token for a real one.
 */
const markAsMock = (value: unknown, schema: Schema, { shapeOf, validators }: SchemaContext) => {
  const isText = typeof value === 'string' && shapeOf(schema).format === undefined;
  const marked = isText
    ? `mock ${value}`
    : isPlainObject(value) && { ...value, [mockProperty]: true };
  const fits = marked !== false && validators.validatorOf(schema, 'response')(marked).length === 0;
  return fits ? marked : value;
};

/** A format that we cannot write: text and bytes go out as they are, anything else as JSON text. */
const writtenBody = (
  schema: Schema,
  tools: SchemaContext,
  examples: readonly unknown[],
): MockBody => {
  const text = examples.find((example) => typeof example === 'string');
  if (text !== undefined) return { serialized: text };
  const sample = sampleValue(schema, tools, examples);
  if ('reason' in sample) return sample;
  const { value } = sample;
  if (typeof value === 'string' || value instanceof Uint8Array) return { serialized: value };
  return { serialized: jsonWriter(tools.shapeOf(schema), 'response')(value) };
};

/**
 * Makes the body.
 * @param mediaType as it is sent, no range
 * @param preferred the name of the example that is asked for
 */
export const mockBody = (
  mediaType: string,
  content: MediaType,
  tools: SchemaContext,
  preferred: string | undefined,
): MockBody => {
  const { schema = {} } = content;
  const examples = exampleValues(content, preferred);
  const codec = contentCodec(mediaType, tools.shapeOf(schema));
  if (codec === undefined) return writtenBody(schema, tools, examples);
  const read = exampleReader(mediaType, schema, tools.shapeOf);
  const sample = sampleValue(schema, tools, examples.map(read));
  return 'reason' in sample ? sample : { body: markAsMock(sample.value, schema, tools) };
};
