/** What a rule of the conformance table is. */

/**
 * A testable sentence with an id. It follows the OpenAPI Specification 3.0.3; [3.0.4], [3.1.2] and [3.2] mark a later
 * clarification that is followed where 3.0.3 is silent, "ours" a choice where all are.
 */
export interface Rule {
  readonly id: string;
  readonly line: string;
}
