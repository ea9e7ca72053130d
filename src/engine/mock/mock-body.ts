/** The body and the headers of a mock: examples of the document's, else values made from schemas. */

import type { MediaType, Operation, Parameter } from '../document/model/operation';
import type { SchemaContext } from '../document/model/schema-context';
import { jsonWriter } from '../media-types/json/json';
import { compileHeader, isBuiltInHeader } from '../responses/content-writers';
import type { HandlerResponse, Representation } from '../responses/response';
import type { Shape } from '../schema/shape';
import { exampleReader } from './example-errors';
import { issuesCredentials, markCredentials } from './mock-credentials';
import { exemplaryValues, type Fits, planOf } from './samples/sample-plan';
import { sampleValue } from './samples/sample-value';

/** Values by name, or a sentence saying why one has none. */
type MockHeaders =
  | { readonly headers: Readonly<Record<string, unknown>> }
  | { readonly reason: string };

const hasExample = ({ examples = [], schema }: Parameter, tools: SchemaContext): boolean =>
  examples.length > 0 || exemplaryValues(planOf([schema], tools.references)).length > 0;

/** A value that can be written and reads back as what the schema says; undefined where none was found. */
const headerValue = (header: Parameter, tools: SchemaContext): unknown => {
  const { name, examples = [], schema } = header;
  const sample = sampleValue(
    schema,
    tools,
    examples.map(({ value }) => value),
  );
  if ('reason' in sample) return undefined;
  const write = compileHeader(header, { ...tools, validateResponses: true });
  const fits: Fits = (value) => {
    try {
      return write(value) !== undefined;
    } catch {
      return false;
    }
  };
  const value = markCredentials(sample.value, { name, shape: tools.shapeOf(schema), fits }, false);
  return fits(value) ? value : undefined;
};

/** Media types whose bodies browsers run scripts of. */
const MARKUP = /^text\/html|[/+]xml/;

/**
 * Makes the headers of one response.
 * @param mediaType of its body; undefined where it has none
 */
export const mockHeaders = (
  declared: readonly Parameter[],
  mediaType: string | undefined,
  tools: SchemaContext,
): MockHeaders => {
  // A redirect without Location leads nowhere (RFC 9110 section 15.4).
  const isWanted = (header: Parameter): boolean =>
    header.required || header.name.toLowerCase() === 'location' || hasExample(header, tools);
  const wanted = declared.filter((header) => !isBuiltInHeader(header.name) && isWanted(header));
  const headers = wanted.map((header) => ({ header, value: headerValue(header, tools) }));
  const missing = headers.find(({ header, value }) => header.required && value === undefined);
  if (missing !== undefined) {
    return { reason: `no value was found for the header ${missing.header.name}` };
  }
  const given = Object.fromEntries(headers.map(({ header, value }) => [header.name, value]));
  // An example's scripts must not act with the session of who looks at it.
  const policy = MARKUP.test(mediaType ?? '') ? { 'Content-Security-Policy': 'sandbox' } : {};
  return { headers: { ...given, ...policy } };
};

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

/** A format that we cannot write: text and bytes go out as they are, anything else as JSON text. */
const verbatimBody = (value: unknown, shape: Shape): MockBody => ({
  serialized:
    typeof value === 'string' || value instanceof Uint8Array
      ? value
      : jsonWriter(shape, 'response')(value),
});

/**
 * Makes the body. An example that is written in the media type goes out byte for byte, unless it holds what responses leave
 * out or what is marked.
 * @param preferred the name of the example that is asked for
 */
export const mockBody = (
  operation: Operation,
  { mediaType, content }: Representation,
  tools: SchemaContext,
  preferred: string | undefined,
): MockBody => {
  const { schema = {} } = content;
  const shape = tools.shapeOf(schema);
  const codec = tools.codecs.contentCodec(mediaType, shape);
  const accepts = tools.validators.accepts(schema, 'response');
  // A text in a format that we cannot read is not held to the schema.
  const fits: Fits = (value) =>
    (codec === undefined && typeof value === 'string') || accepts(value);
  const read = exampleReader(mediaType, schema, tools);
  const example = exampleValues(content, preferred)
    .map((text) => ({
      text,
      value: codec === undefined && typeof text === 'string' ? text : read(text),
    }))
    .find(({ value }) => fits(value));
  const sample = example ?? sampleValue(schema, tools);
  if ('reason' in sample) return sample;
  const place = { name: undefined, shape, fits };
  const body = markCredentials(sample.value, place, issuesCredentials(operation, tools));
  if (codec === undefined) return verbatimBody(body, shape);
  const text = body === example?.value && body !== example?.text ? example?.text : undefined;
  return typeof text === 'string' ? { serialized: text } : { body };
};
