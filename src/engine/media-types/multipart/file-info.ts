/** What the sender of a file said about it, kept beside its bytes so that their type stays Uint8Array. */

/** A file's own name and type. Neither has been checked against the bytes. */
export interface FileInfo {
  /** As it was sent: perhaps with a path, and never fit to name a file of the server. */
  readonly name: string | undefined;
  /** The part's Content-Type without parameters, in lower case. */
  readonly mediaType: string | undefined;
}

const factsByBytes = new WeakMap<Uint8Array, FileInfo>();

/** Remembers the facts for as long as the bytes live. */
export const rememberFile = (bytes: Uint8Array, facts: FileInfo): void => {
  factsByBytes.set(bytes, facts);
};

/** The facts of bytes that came as a part; undefined for any others. */
export const fileInfo = (bytes: Uint8Array): FileInfo | undefined => factsByBytes.get(bytes);
