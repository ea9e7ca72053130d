import { expect, test } from '@jest/globals';
import { adHandlers } from '../../../../handlers/ads/ad';
import type { Ad } from '../../../../handlers/ads/types';
import { standInCodec, standInCodecOf } from '../../../support/stand-in-codec';
import { handlerRequest } from '../handler-request';
import { plainReply } from '../plain-reply';

test('addAd keeps the ad under the name of the caller and answers what was kept', async () => {
  const body: Ad = {
    title: 'Maison',
    propertyType: 'À la location',
    publicationStatus: 'Non publiée',
    propertyStatus: 'Disponible',
    description: 'd',
    price: 0,
    availabilityDate: '2025-01-01T00:00:00Z',
    userName: 'somebody else',
  };
  const kept: [Ad, string][] = [];
  const { addAd } = adHandlers({
    ads: {
      async add(ad, author) {
        kept.push([ad, author]);
        const text = standInCodec.write({ ...ad, title: 'as kept' });
        return standInCodecOf<Ad>().kept(text, standInCodec.format);
      },
    },
  });
  const reply = await plainReply(addAd(handlerRequest({ body })));
  expect(reply).toEqual({ status: 200, body: { ...body, title: 'as kept' } });
  expect(kept).toEqual([[body, 'somebody']]);
});
