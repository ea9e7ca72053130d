/** The error of a schema that cannot be enforced, so that a faulty rule is never silently left out. */

/** The document's schema is at fault. The message says what is wrong with it. */
export class InvalidSchema extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'InvalidSchema';
  }
}
