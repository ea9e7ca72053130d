/** One good request for each operation of the advertisements service, to be sent to the demo data. */

import type { Operations } from '../../handlers/ads/types';
import type { Examples } from './example';

const JSON_TYPE = 'application/json';

export const adsExamples = {
  addAd: {
    body: {
      mediaType: JSON_TYPE,
      value: {
        title: 'Appartement lumineux de trois pièces',
        propertyType: 'À la vente',
        publicationStatus: 'Publiée',
        propertyStatus: 'Disponible',
        description: 'Au troisième étage avec ascenseur, balcon plein sud, à deux pas du marché.',
        price: 285_000.5,
        availabilityDate: '2030-03-01T09:00:00Z',
        photos: [
          'https://images.example.com/annonces/salon.jpg',
          'https://images.example.com/annonces/balcon.jpg',
        ],
        userName: 'demo',
        questions: [
          {
            user: 'claire',
            question: 'Y a-t-il une cave ?',
            answers: [
              { answer: 'Oui, une cave de six mètres carrés.', date: '2030-01-02T08:30:00Z' },
            ],
          },
        ],
      },
    },
  },
  createUser: {
    body: {
      mediaType: JSON_TYPE,
      value: { username: 'claire', password: 'un mot de passe assez long', isAgent: true },
    },
  },
  loginUser: { query: { username: 'demo', password: 'demo-password' } },
  logoutUser: {},
} satisfies Examples<Operations>;
