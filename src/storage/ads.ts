/** Advertisements. */

import type { Ad } from '../generated/ads';
import type { Database } from './database';
import type { TextCodec } from './text-codec';

export interface AdStorage {
  /**
   * Keeps the ad and answers what was kept.
   *
   * @param author - whose credential published it
   */
  add(ad: Ad, author: string): Promise<Ad>;
}

export const knexAds = (db: Database, service: string, codec: TextCodec<Ad>): AdStorage => ({
  async add(ad, author) {
    const document = codec.write(ad);
    await db('ads').insert({ service, author, document });
    return codec.read(document);
  },
});
