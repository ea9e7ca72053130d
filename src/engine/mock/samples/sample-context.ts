/** What samples are made from, and what one attempt at a sample keeps track of. */

import type { SchemaContext } from '../../document/schema-context';
import type { Schema, SchemaSource } from '../../schema/shape';
import type { SamplePlan } from './sample-plan';

/** What samples are made from. */
export interface SamplingTools extends SchemaContext {
  readonly source: SchemaSource;
}

/** One attempt at a value. */
export interface SampleContext {
  readonly tools: SamplingTools;
  /** Only what is required is wanted. */
  readonly lean: boolean;
  /** Counts a step: a part, a branch or a candidate. Throws FuelExhausted where there were too many. */
  spend(): void;
  /** Why parts have no value, one sentence each; the deepest comes first. */
  readonly reasons: string[];
}

/** The schema of everything that a plan was asked for. */
export const wholeSchema = ({ roots }: SamplePlan): Schema => {
  const [only] = roots;
  return only !== undefined && roots.length === 1 ? only : { allOf: [...roots] };
};
