/** Values as documentation shows them: the author's example, else one that fits the schema. */

import { writeJsonLines } from '../../base/json/write-json';
import { memoize } from '../../base/memoize';
import { attempt } from '../../base/recover';
import type { MediaType } from '../../model/operation';
import { anySchema, type Schema } from '../../model/schema';
import type { Schemas } from '../validation/compile-validators';
import { sampleValue } from './sample-value';

/** Finds the value of a parameter or content that is shown; undefined where there is none. */
export type Sampler = (part: Partial<Pick<MediaType, 'schema' | 'examples'>>) => unknown;

/** Makes the function that finds values. */
export const sampler = (tools: Schemas): Sampler => {
  const sampleOf = memoize((schema: Schema): unknown => {
    // The check of the document says why a schema cannot be used.
    const sample = attempt(() => sampleValue(schema, tools)) ?? {};
    return 'value' in sample ? sample.value : undefined;
  });
  return ({ schema = anySchema, examples: [example] = [] }) =>
    example === undefined ? sampleOf(schema) : example.value;
};

/** Writes the example of a content. */
export const exampleOf = (content: MediaType, sample: Sampler): string => {
  const value = sample(content);
  return typeof value === 'string' ? value : writeJsonLines(value);
};
