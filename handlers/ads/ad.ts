/** What the operations tagged `ad` do. */

import type { AdOperations } from '../../src/generated/ads';
import type { Handlers } from '../../src/openapi/handler';
import type { Resources } from '../../src/resources';

/** What the handlers work with. */
export type AdResources = Pick<Resources, 'ads'>;

/** Handlers of the operations tagged `ad`. */
export const adHandlers = ({ ads }: AdResources): Handlers<AdOperations> => ({
  async addAd({ body, caller }) {
    return { status: 200, body: await ads.add(body, caller.subject) };
  },
});
