/** What the sender of a file said about it, kept beside its octets so that their type stays Uint8Array. */

/** A file's own name and type. Neither has been checked against the octets. */
export interface FileFacts {
  /** As it was sent: perhaps with a path, and never fit to name a file of the server. */
  readonly name: string | undefined;
  /** The part's Content-Type without parameters, in lower case. */
  readonly mediaType: string | undefined;
}

const factsByOctets = new WeakMap<Uint8Array, FileFacts>();

/** Remembers the facts for as long as the octets live. */
export const rememberFile = (octets: Uint8Array, facts: FileFacts): void => {
  factsByOctets.set(octets, facts);
};

/** The facts of octets that came as a part; undefined for any others. */
export const fileFacts = (octets: Uint8Array): FileFacts | undefined => factsByOctets.get(octets);
