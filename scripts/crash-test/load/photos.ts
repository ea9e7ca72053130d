/** Uploading photos: bytes by chance, known by their checksum. */

import { createHash } from 'node:crypto';
import { bearer, type Client, type OwnPet, requestChange, without } from './client';
import { addPet } from './pets';

/** The checksum by which a photo is known. */
export const checksumOf = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 24);

/** The state of a photo. */
export const photoOf = (petId: string): string => `of pet ${petId}`;

const kibibyte = 1024;

/** Most photos are small; some are larger than any page of a database. */
const sizeOf = ({ random }: Client): number =>
  random.chance(0.1)
    ? 64 * kibibyte + random.below(448 * kibibyte)
    : 32 + random.below(16 * kibibyte);

const upload = async (client: Client, pet: OwnPet): Promise<void> => {
  const bytes = client.random.bytes(sizeOf(client));
  const key = checksumOf(bytes);
  const outcome = await requestChange(client, {
    request: {
      method: 'POST',
      path: `/petstore/pet/${pet.id}/uploadImage`,
      headers: {
        ...bearer(client.credentials.pets),
        'content-type': 'application/octet-stream',
      },
      body: bytes,
    },
    change: { operation: 'uploadFile', steps: [{ kind: 'photo', key, to: photoOf(pet.id) }] },
  });
  if (outcome.kind === 'made') pet.photos.push(key);
  // Whoever deletes a pet has to know its photos.
  if (outcome.kind === 'indeterminate') client.pets = without(client.pets, pet);
};

export const uploadFile = async (client: Client): Promise<void> => {
  const { random, shared, pets } = client;
  const own = random.pickAny(pets.filter(({ isAlbum }) => isAlbum));
  const pet = random.chance(0.5) ? (shared.album ?? own) : (own ?? shared.album);
  await (pet === undefined ? addPet(client) : upload(client, pet));
};
