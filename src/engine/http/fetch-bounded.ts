/** Fetches what another server has, within bounds of time and size. */

/** What is asked for, and what the response may cost. */
export interface BoundedFetch {
  /** The Accept header. */
  readonly accept: string;
  /** How long it may take to the last byte. */
  readonly milliseconds: number;
  /** Bytes of the body. */
  readonly bytes: number;
  /** Whether redirections are followed. */
  readonly redirects: boolean;
}

/** There is no response to use; the message says why. */
export class FetchFailure extends Error {
  /** Of a response that is no success; undefined where none came, or one that is too large. */
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
 * @throws FetchFailure where there is no response, none in time, one that is no success, or one that is too large
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
