/** Methods by which nothing is asked to be changed. */

const safeMethods: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether a method, in upper case, is safe (RFC 9110 section 9.2.1). */
export const isSafeMethod = (method: string | undefined): boolean => safeMethods.has(method);
