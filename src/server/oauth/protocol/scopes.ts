/** The scopes of a service, and which of them a request asks for (RFC 6749 section 3.3). */

/** What a service knows of scopes. */
export interface ServiceScopes {
  /** Every scope that there is, with its description where it has one. */
  readonly known: ReadonlyMap<string, string | undefined>;
  /** Those that operations require: what is granted where a request names none. */
  readonly required: readonly string[];
}

/**
 * The scopes of a `scope` parameter, each once; undefined where one is unknown, or there is none to be granted.
 *
 * @param text undefined where the parameter was left out
 */
export const requestedScopes = (
  text: string | undefined,
  { known, required }: ServiceScopes,
): readonly string[] | undefined => {
  const named = (text ?? '').split(' ').filter((scope) => scope !== '');
  const scopes = named.length === 0 ? required : [...new Set(named)];
  return scopes.length > 0 && scopes.every((scope) => known.has(scope)) ? scopes : undefined;
};
