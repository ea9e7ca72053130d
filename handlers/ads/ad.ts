/** The operations tagged `ad`. */

import type { Handlers } from '../../src/engine';
import type { Dependencies } from './collections';
import type { AdOperations } from './types';

/** Makes the handlers of the operations tagged `ad`. */
export const adHandlers = ({ ads }: Dependencies): Handlers<AdOperations> => ({
  async addAd({ body, principal, fail }) {
    const ad = await ads.insert(body, principal.subject);
    if (!ad) throw fail(405);
    return { status: 200, body: ad };
  },
});
