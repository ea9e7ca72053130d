/** Publishing ads. */

import { canonical, type Fields } from '../history/states';
import { bearer, type Client, newMark, requestChange } from './client';
import { withJson } from './http-client';

const newAd = (client: Client): Fields => ({
  title: newMark(client),
  propertyType: client.random.pick(['À la vente', 'À la location']),
  publicationStatus: 'Publiée',
  propertyStatus: 'Disponible',
  description: 'Deux pièces, près de la gare. '.repeat(1 + client.random.below(40)).trim(),
  price: client.random.below(500_000),
  availabilityDate: '2030-03-01T09:00:00Z',
  userName: 'demo',
});

export const addAd = async (client: Client): Promise<void> => {
  const ad = newAd(client);
  await requestChange(client, {
    request: withJson(
      { method: 'POST', path: '/ads/ad', headers: bearer(client.credentials.ads) },
      ad,
    ),
    change: {
      operation: 'addAd',
      steps: [{ kind: 'ad', key: String(ad['title']), to: canonical(ad) }],
    },
  });
};
