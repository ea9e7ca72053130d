/** Reads the parameters of a query or a form (application/x-www-form-urlencoded, RFC 6749 appendix B). */

/** What was sent. */
export interface Parameters {
  /** The value; undefined where it is missing, empty or given twice. */
  get(name: string): string | undefined;
  /** RFC 6749 section 3.1: no parameter may be included more than once. */
  isRepeated(name: string): boolean;
}

/** Whether every escape stands for an byte, and the bytes for UTF-8. */
const isWellFormed = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
};

/** Reads the text; undefined where it is malformed. */
export const readParameters = (text: string): Parameters | undefined => {
  if (!isWellFormed(text)) return undefined;
  const parameters = new URLSearchParams(text);
  const isRepeated = (name: string): boolean => parameters.getAll(name).length > 1;
  return {
    // RFC 6749 section 3.1: a parameter without a value is treated as if it were omitted.
    get: (name) => (isRepeated(name) ? undefined : parameters.get(name) || undefined),
    isRepeated,
  };
};
