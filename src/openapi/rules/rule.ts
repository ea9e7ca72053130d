/** What a rule about documents is: a function from a document to its findings. */

import type { OpenAPIV3 } from 'openapi-types';
import type { Operation } from '../operation';
import type { Finding } from '../problem';
import type { References } from '../references';

/** The document as rules see it. */
export interface RuleContext {
  readonly definition: OpenAPIV3.Document;
  readonly operations: readonly Operation[];
  readonly references: References;
}

/** One rule. It never throws: a document's fault is a finding. */
export type Rule = (context: RuleContext) => readonly Finding[];
