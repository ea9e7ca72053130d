/** Finds where a response on a connection ends (RFC 9112 section 6), looking at no more of it than that takes. */

/** A response whose last byte is there. */
export interface ResponseEnd {
  readonly status: number;
  /** True where the server will close the connection. */
  readonly closes: boolean;
}

/** Takes the bytes of one response after another; gives the end of one when they complete it. */
export type ResponseReader = (bytes: Buffer) => ResponseEnd | undefined;

/** The end of a chunked body without trailers (RFC 9112 section 7.1). No content here has such a line in it. */
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/** Returns the reader of one chunked body, behind which nothing comes before the next request: true when the bytes complete it. */
const chunkedEnd = (): ((bytes: Buffer) => boolean) => {
  let tail: Buffer = Buffer.from('\r\n');
  return (bytes) => {
    tail = Buffer.concat([tail, bytes.subarray(-lastChunk.length)]).subarray(-lastChunk.length);
    return tail.equals(lastChunk);
  };
};

const headEnd = Buffer.from('\r\n\r\n');

/** Makes the reader of one connection, on which requests and responses take turns. */
export const responseReader = (): ResponseReader => {
  let early: Buffer | undefined;
  let end: ResponseEnd | undefined;
  /** Bytes of the body that are still to come; of a chunked one, that is for its own reader to say. */
  let missing = 0;
  let chunks: ((bytes: Buffer) => boolean) | undefined;

  const finish = (): ResponseEnd | undefined => {
    const finished = end;
    end = undefined;
    chunks = undefined;
    return finished;
  };

  const beginBody = (head: string, bytes: Buffer, from: number): ResponseEnd | undefined => {
    const length = /\r\ncontent-length: *(\d+)/i.exec(head);
    if (length !== null) {
      missing = Number(length[1]) - (bytes.length - from);
      return missing <= 0 ? finish() : undefined;
    }
    if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return finish();
    chunks = chunkedEnd();
    return chunks(bytes.subarray(from)) ? finish() : undefined;
  };

  const readHead = (given: Buffer): ResponseEnd | undefined => {
    const bytes = early === undefined ? given : Buffer.concat([early, given]);
    const at = bytes.indexOf(headEnd);
    early = at < 0 ? bytes : undefined;
    if (at < 0) return undefined;
    const head = bytes.toString('latin1', 0, at);
    end = { status: Number(head.slice(9, 12)), closes: /\r\nconnection: *close/i.test(head) };
    return beginBody(head, bytes, at + headEnd.length);
  };

  return (bytes) => {
    if (end === undefined) return readHead(bytes);
    if (chunks !== undefined) return chunks(bytes) ? finish() : undefined;
    missing -= bytes.length;
    return missing <= 0 ? finish() : undefined;
  };
};
