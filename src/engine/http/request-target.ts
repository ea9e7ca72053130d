/** The target of a request (RFC 9112 section 3.2). */

/** Path and query of a target: a server must take one in absolute form, too (RFC 9112 section 3.2.2). */
export const originForm = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');

/** A target taken apart: the raw path, and the raw query without `?`. */
export const splitTarget = (target: string): { readonly path: string; readonly query: string } => {
  const url = originForm(target);
  const mark = url.indexOf('?');
  return mark < 0
    ? { path: url, query: '' }
    : { path: url.slice(0, mark), query: url.slice(mark + 1) };
};
