/** One rule of a schema as a predicate with the sentence that names what it expects. */

/** A rule about a single value. Values of another kind than the rule speaks of are accepted, as in JSON Schema. */
export interface Check {
  /** What the value must be, as a fragment beginning with "must"; holds nothing of any value. */
  readonly message: string;
  /**
   * Whether a value that fails was probably meant for another alternative: it is of another type, or it lacks the one
   * value that an enum names (a tag).
   */
  readonly decides?: 'type' | 'tag' | undefined;
  accepts(value: unknown): boolean;
}
