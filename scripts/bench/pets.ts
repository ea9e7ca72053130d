/** The content that every contestant's database holds: made from numbers, so that every response is known in advance. */

type Status = 'available' | 'pending' | 'sold';

/** The number of pets in the short list, at any size of the database. */
export const shortList = 100;

/** The tag that as many pets have. */
export const rareTag = 'rare';

/** Returns the number of pets that are `sold`: the long list. */
export const longList = (pets: number): number => pets / 10;

const statusOf = (id: number, pets: number): Status => {
  if (id % 10 === 0) return 'sold';
  return id % (pets / shortList) === 1 ? 'pending' : 'available';
};

/** Makes a pet without an id, different for each number. */
export const newPet = (number: number, status: Status = 'available') => ({
  name: `Pet ${number}`,
  category: { id: (number % 5) + 1, name: `Category ${number % 5}` },
  photoUrls: [`https://images.example.com/pets/${number}.png`],
  tags: [
    { id: 1, name: 'friendly' },
    { id: (number % 50) + 2, name: `tag-${number % 50}` },
  ],
  status,
});

/** A pet as the benchmark sends and expects it. Ids stay below 2^53 here. */
export type BenchPet = ReturnType<typeof newPet> & { readonly id?: number };

/**
 * Makes the stored pet of that id.
 * @param pets how many there are: a multiple of 1,000; their ids are 1 to that
 */
export const storedPet = (id: number, pets: number): BenchPet & { readonly id: number } => {
  const pet = newPet(id, statusOf(id, pets));
  const rare = id % (pets / shortList) === 3;
  return { id, ...pet, tags: rare ? [...pet.tags, { id: 99, name: rareTag }] : pet.tags };
};

/** The ids of the stored orders; 6 to 10 are none that the contract knows. */
export const orderIds: readonly number[] = Array.from({ length: 1000 }, (_, index) => index + 11);

/** Makes an order without an id. */
export const newOrder = (number: number) => ({
  petId: number,
  quantity: (number % 3) + 1,
  shipDate: '2030-01-01T12:00:00Z',
  status: 'placed',
  complete: false,
});

/** Returns the stored order of that id. */
export const storedOrder = (id: number) => ({ id, ...newOrder(id) });

/** Makes an advertisement. */
export const newAd = (number: number) => ({
  title: `Appartement ${number}`,
  propertyType: 'À la vente',
  publicationStatus: 'Publiée',
  propertyStatus: 'Disponible',
  description: 'Au troisième étage avec ascenseur, balcon plein sud, à deux pas du marché.',
  price: 285000 + number,
  availabilityDate: '2030-03-01T09:00:00Z',
  photos: [`https://images.example.com/annonces/${number}.jpg`],
  userName: 'bench',
  questions: [
    {
      user: 'claire',
      question: 'Y a-t-il une cave ?',
      answers: [{ answer: 'Oui.', date: '2030-01-02T08:30:00Z' }],
    },
  ],
});

/** The credentials that a caller presents. */
export interface Credentials {
  readonly apiKey: string;
  /** A bearer token of the pet store with its two scopes. */
  readonly petsToken: string;
  /** A bearer token of the ads with their two scopes. */
  readonly adsToken: string;
}

/** The credentials that are seeded into the databases of the peers. */
export const peerCredentials: Credentials = {
  apiKey: 'bench-api-key-0123456789abcdefghijklmnopqrs',
  petsToken: 'bench-pets-token-0123456789abcdefghijklmnop',
  adsToken: 'bench-ads-token-0123456789abcdefghijklmnopq',
};
