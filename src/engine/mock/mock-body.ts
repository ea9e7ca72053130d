/** The body of a mock in one media type: an example of the document's, else a value made from the schema. */

import type { MediaType } from '../document/model/operation';
import { contentCodec } from '../media-types/codecs';
import { jsonWriter } from '../media-types/json/json-writer';
import type { HandlerResponse } from '../responses/response';
import type { Schema } from '../schema/shape';
import { exampleReader } from './examples/read-example';
import type { SamplingTools } from './samples/sample-context';
import { sampleValue } from './samples/sample-value';

/** What a response carries, or a sentence saying why there is none. */
export type MockBody = Pick<HandlerResponse, 'body' | 'written'> | { readonly reason: string };

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
const writtenBody = (
  schema: Schema,
  tools: SamplingTools,
  examples: readonly unknown[],
): MockBody => {
  const text = examples.find((example) => typeof example === 'string');
  if (text !== undefined) return { written: text };
  const sample = sampleValue(schema, tools, examples);
  if ('reason' in sample) return sample;
  const { value } = sample;
  if (typeof value === 'string' || value instanceof Uint8Array) return { written: value };
  return { written: jsonWriter(tools.shapeOf(schema), 'response')(value) };
};

/**
 * Makes the body.
 * @param mediaType as it is sent, no range
 * @param preferred the name of the example that is asked for
 */
export const mockBody = (
  mediaType: string,
  content: MediaType,
  tools: SamplingTools,
  preferred: string | undefined,
): MockBody => {
  const { schema = {} } = content;
  const examples = exampleValues(content, preferred);
  const codec = contentCodec(mediaType, tools.shapeOf(schema));
  if (codec === undefined) return writtenBody(schema, tools, examples);
  const read = exampleReader(mediaType, schema, tools.shapeOf);
  const sample = sampleValue(schema, tools, examples.map(read));
  return 'reason' in sample ? sample : { body: sample.value };
};
