/** Builds a request to any operation from the document alone: declared examples first, made-up values otherwise. */

import type { MediaType, Operation, Parameter } from '../../src/engine/document/model/operation';
import type { SchemaContext } from '../../src/engine/document/model/schema-context';
import { codecFor } from '../../src/engine/media-types/codecs';
import { jsonWriter } from '../../src/engine/media-types/json/json-writer';
import { sampleValue } from '../../src/engine/mock/samples/sample-value';
import { writeSimple } from '../../src/engine/responses/response-headers';
import type { Schema } from '../../src/engine/schema/shape';

/** A request without credentials. */
export interface SampleRequest {
  /** Relative to the base path. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

interface Sampled {
  readonly schema: Schema | undefined;
  readonly examples?: MediaType['examples'];
}

const sampleOf = ({ schema = {}, examples = [] }: Sampled, tools: SchemaContext): unknown => {
  const [example] = examples;
  if (example !== undefined) return example.value;
  const sample = sampleValue(schema, tools);
  if ('reason' in sample) throw new Error(sample.reason);
  return sample.value;
};

const parameterText = (parameter: Parameter, tools: SchemaContext): string => {
  const value = sampleOf(parameter, tools);
  const shape = tools.shapeOf(parameter.schema);
  return parameter.mediaType === undefined
    ? writeSimple(value, shape, parameter.explode)
    : jsonWriter(shape, 'storage')(value);
};

/** What a path template's name stands for, in its style (OAS 3.0.3, Style Values). */
const pathText = (parameter: Parameter, tools: SchemaContext): string => {
  const text = encodeURIComponent(parameterText(parameter, tools));
  const prefixes: Partial<Record<Parameter['style'], string>> = {
    label: '.',
    matrix: `;${parameter.name}=`,
  };
  return (prefixes[parameter.style] ?? '') + text;
};

/** One key and value; a list in form style is given by one item, which every style of a list takes. */
const queryText = (parameter: Parameter, tools: SchemaContext): string => {
  const value = sampleOf(parameter, tools);
  const [single = value] = Array.isArray(value) ? value : [value];
  const shape = tools.shapeOf(parameter.schema);
  const text =
    parameter.mediaType === undefined
      ? writeSimple(single, shape, true)
      : jsonWriter(shape, 'storage')(value);
  return `${encodeURIComponent(parameter.name)}=${encodeURIComponent(text)}`;
};

const ofPlace = (operation: Operation, place: Parameter['in']): Parameter[] =>
  operation.parameters.filter((parameter) => parameter.in === place && parameter.required);

const bodyOf = (content: MediaType, tools: SchemaContext): string | Uint8Array => {
  const shape = tools.shapeOf(content.schema ?? {});
  const value = sampleOf(content, tools);
  if (value instanceof Uint8Array) return value;
  if (shape.format === 'binary') return String(value);
  return codecFor(content.key)?.writer(shape, 'storage')(value) ?? String(value);
};

/** A good request: all that is required, and the body in the given media type. */
export const sampleRequest = (
  operation: Operation,
  content: MediaType | undefined,
  tools: SchemaContext,
): SampleRequest => {
  const path = ofPlace(operation, 'path').reduce(
    (filled, parameter) => filled.replace(`{${parameter.name}}`, pathText(parameter, tools)),
    operation.path,
  );
  const query = ofPlace(operation, 'query').map((parameter) => queryText(parameter, tools));
  const headers = ofPlace(operation, 'header').map((parameter): [string, string] => [
    parameter.name,
    parameterText(parameter, tools),
  ]);
  const cookies = ofPlace(operation, 'cookie').map(
    (parameter) => `${parameter.name}=${encodeURIComponent(parameterText(parameter, tools))}`,
  );
  return {
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: {
      ...Object.fromEntries(headers),
      ...(cookies.length > 0 ? { cookie: cookies.join('; ') } : {}),
      ...(content === undefined ? {} : { 'content-type': content.key }),
    },
    body: content && bodyOf(content, tools),
  };
};
