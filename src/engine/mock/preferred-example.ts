/** Reads which example a caller asks for by `Prefer: example=NAME` (RFC 7240). */

const preference = /(?:^|[,;])\s*example\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i;

/** The name of the example; undefined where none is asked for. */
export const preferredExample = (header: string | string[] | undefined): string | undefined => {
  const [, quoted, token] = preference.exec([header ?? ''].flat().join(', ')) ?? [];
  return quoted ?? token;
};
