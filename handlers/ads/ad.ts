/** What the operations tagged `ad` do. */

import type { Handlers } from '../../src/engine';
import type { Resources } from '../../src/server/services/resources';
import type { AdOperations } from './types';

/** What the handlers work with. */
export type AdResources = Pick<Resources, 'ads'>;

/** Handlers of the operations tagged `ad`. */
export const adHandlers = ({ ads }: AdResources): Handlers<AdOperations> => ({
  async addAd({ body, principal }) {
    return { status: 200, body: await ads.add(body, principal.subject) };
  },
});
