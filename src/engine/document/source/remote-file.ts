/** Fetches a remote file within bounds of time and size. */

import { FetchFailure, fetchBounded } from '../../http/fetch-bounded';
import type { LoadLimits } from './limits';
import { MissingFile } from './missing-file';

/**
 * Fetches the bytes of a remote file.
 * @throws MissingFile where there is no answer, none in time, one that is no success, or one that is too large
 */
export const fetchBytes = async (uri: string, limits: LoadLimits): Promise<Uint8Array> => {
  try {
    return await fetchBounded(uri, {
      accept: 'application/yaml, application/json, */*;q=0.5',
      milliseconds: limits.remoteMilliseconds,
      bytes: limits.fileBytes,
      redirects: true,
    });
  } catch (error) {
    throw error instanceof FetchFailure ? new MissingFile(error.message) : error;
  }
};
