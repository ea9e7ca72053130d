/** Fetches a remote file within bounds of time and size. */

import type { LoadLimits } from './limits';
import { MissingFile } from './missing-file';

const readBounded = async (
  uri: string,
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw new MissingFile(`${uri} is larger than ${limit} octets`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/**
 * Fetches the octets of a remote file.
 * @throws MissingFile where there is no answer, none in time, one that is no success, or one that is too large
 */
export const fetchBytes = async (uri: string, limits: LoadLimits): Promise<Uint8Array> => {
  try {
    const response = await fetch(uri, {
      headers: { Accept: 'application/yaml, application/json, */*;q=0.5' },
      signal: AbortSignal.timeout(limits.remoteMilliseconds),
    });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw new MissingFile(`${uri} answers ${response.status}`);
    }
    return await readBounded(uri, response.body, limits.fileBytes);
  } catch (error) {
    if (error instanceof MissingFile) throw error;
    const isLate = Reflect.get(Object(error), 'name') === 'TimeoutError';
    throw new MissingFile(
      isLate
        ? `${uri} does not answer within ${limits.remoteMilliseconds} ms`
        : `${uri} does not answer`,
    );
  }
};
