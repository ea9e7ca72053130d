/** Values as documentation shows them: the author's example, else one that fits the schema. */

import { writeJsonLines } from '../../base/json/write-json';
import { memoize } from '../../base/memoize';
import { attempt } from '../../base/recover';
import type { MediaType } from '../../model/operation';
import { anySchema, type Schema } from '../../model/schema';
import { scalarReader } from '../scalars';
import type { Direction } from '../shape';
import type { Schemas } from '../validation/compile-validators';
import { typedValue } from './sample-plan';
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
  /** Tells whether an example may be sent; what has structure may be written as a text. */
  const fits = (schema: Schema, value: unknown): boolean => {
    const shape = tools.shapeOf(schema);
    const isScalar = !shape.isBinary && !['object', 'array', 'any'].includes(shape.type);
    if (typeof value === 'string' && !isScalar) return true;
    const given = typeof value === 'string' ? scalarReader(shape)(value) : value;
    const sent = typedValue(schema, tools.shapeOf)(given);
    const accepts = (direction: Direction) => tools.validators.accepts(schema, direction)(sent);
    return attempt(() => accepts('request') || accepts('response')) ?? true;
  };
  return ({ schema = anySchema, examples = [] }) =>
    (examples.find(({ value }) => fits(schema, value)) ?? { value: sampleOf(schema) }).value;
};

/** Writes the example of a content. */
export const exampleOf = (content: MediaType, sample: Sampler): string => {
  const value = sample(content);
  return typeof value === 'string' ? value : writeJsonLines(value);
};
