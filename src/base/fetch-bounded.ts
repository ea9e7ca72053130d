/** Fetches from other servers within bounds of time and size. */

/** The request, and the bounds of its response. */
export interface BoundedFetch {
  /** The Accept header. */
  readonly accept: string;
  /** The time to the last byte. */
  readonly milliseconds: number;
  /** Bytes of the body. */
  readonly bytes: number;
  /** True: redirections are followed. */
  readonly redirects: boolean;
}

/** The error when there is no response to use; the message says why. */
export class FetchFailure extends Error {
  /** The status of a response that is not a success; undefined if none came, or one that is too large. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.name = 'FetchFailure';
    this.status = status;
  }
}

const readBounded = async (
  url: string,
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw new FetchFailure(`${url} is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/**
 * Fetches the bytes at a URL.
 * @throws FetchFailure if no response comes in time, if it is not a success, or if it is too large
 */
export const fetchBounded = async (
  url: string,
  { accept, milliseconds, bytes, redirects }: BoundedFetch,
): Promise<Uint8Array> => {
  try {
    const response = await fetch(url, {
      headers: { Accept: accept },
      redirect: redirects ? 'follow' : 'manual',
      signal: AbortSignal.timeout(milliseconds),
    });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw new FetchFailure(`${url} answers ${response.status}`, response.status);
    }
    return await readBounded(url, response.body, bytes);
  } catch (error) {
    if (error instanceof FetchFailure) throw error;
    const isLate = Reflect.get(Object(error), 'name') === 'TimeoutError';
    throw new FetchFailure(
      isLate ? `${url} does not answer within ${milliseconds} ms` : `${url} does not answer`,
    );
  }
};
