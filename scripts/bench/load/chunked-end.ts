/** Finds the end of a body in chunks (RFC 9112 section 7.1). */

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Makes the reader of one body; it tells whether the bytes from that place on complete it. Trailers are unknown to it. */
export const chunkedEnd = (): ((bytes: Buffer, from: number) => boolean) => {
  let size = '';
  /** Bytes of the chunk, with the line end after it, that are still to come. */
  let rest = 0;
  let last = false;

  /** Reads the line that says how long a chunk is. */
  const takeSize = (byte: number): void => {
    if (byte === carriageReturn) return;
    if (byte !== lineFeed) {
      size += String.fromCharCode(byte);
      return;
    }
    const length = Number.parseInt(size, 16);
    last = length === 0;
    rest = length + 2;
    size = '';
  };

  return (bytes, from) => {
    let at = from;
    while (at < bytes.length) {
      if (rest > 0) {
        const taken = Math.min(rest, bytes.length - at);
        rest -= taken;
        at += taken;
      } else {
        takeSize(bytes[at] ?? 0);
        at += 1;
      }
      if (last && rest === 0) return true;
    }
    return false;
  };
};
