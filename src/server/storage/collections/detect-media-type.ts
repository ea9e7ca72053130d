/** Says what bytes are by looking at them, not at what their sender called them. */

import { filetypemime } from 'magic-bytes.js';

/** The signatures all lie within these many first bytes. */
const HEAD = 4096;

/** The media type that the first bytes give away; `application/octet-stream` where they give away nothing. */
export const detectMediaType = (bytes: Uint8Array): string =>
  filetypemime(bytes.subarray(0, HEAD)).find((type) => type !== '') ?? 'application/octet-stream';
