/** Advertisements. */

import type { Ad } from '../../../../handlers/ads/types';
import type { SerializedJson } from '../../../engine';
import type { Database } from '../database/database';
import { param } from '../sql/statement';
import type { TextCodec } from './text-codec';

export interface AdStorage {
  /**
   * Keeps the ad and answers what was kept.
   *
   * @param author - whose credential published it
   */
  add(ad: Ad, author: string): Promise<SerializedJson<Ad>>;
}

type AdValues = Readonly<Record<'author' | 'document' | 'format', string>>;

/** Keeps ads in the table `ads`. */
export const knexAds = (
  { knex, prepare, transaction }: Database,
  service: string,
  codec: TextCodec<Ad>,
): AdStorage => {
  const insert = prepare<AdValues, never>(
    knex('ads').insert({
      service,
      author: param('author'),
      document: param('document'),
      format: param('format'),
    }),
  );
  return {
    async add(ad, author) {
      const { format } = codec;
      const document = codec.write(ad);
      await transaction((trx) => trx.run(insert, { author, document, format }));
      return codec.kept(document, format);
    },
  };
};
