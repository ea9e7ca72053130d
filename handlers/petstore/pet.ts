/** The operations tagged `pet`. */

import type { Handlers } from '../../src/engine';
import type { Dependencies } from './collections';
import type { Pet, PetOperations } from './types';

/** Makes the handlers of the operations tagged `pet`. */
export const petHandlers = ({ pets }: Dependencies): Handlers<PetOperations> => ({
  async updatePet({ body, fail }) {
    const pet = await pets.update(body.id, () => body);
    if (!pet) throw fail(404);
    return { status: 200, body: pet };
  },

  async addPet({ body, fail }) {
    const pet = await pets.insert(body);
    if (!pet) throw fail(405);
    return { status: 200, body: pet };
  },

  async findPetsByStatus({ query }) {
    return { status: 200, body: pets.find('status', query.status) };
  },

  async findPetsByTags({ query }) {
    return { status: 200, body: pets.find('tags.name', query.tags ?? []) };
  },

  async getPetById({ path, fail }) {
    const pet = await pets.get(path.petId);
    if (!pet) throw fail(404);
    return { status: 200, body: pet };
  },

  async updatePetWithForm({ path, query, fail }) {
    const pet = await pets.update(path.petId, (old) => ({
      ...old,
      name: query.name ?? old.name,
      status: query.status ?? old.status,
    }));
    if (!pet) throw fail(405);
    return { status: 200, body: pet };
  },

  async deletePet({ path, fail }) {
    if (!(await pets.delete(path.petId))) throw fail(400);
    return { status: 200 };
  },

  async uploadFile({ path, query, body, principal, fail }) {
    const addPhoto = (pet: Pet, url: string): Pet => ({
      ...pet,
      photoUrls: [...pet.photoUrls, url],
    });
    const file = await pets.attach(path.petId, body, addPhoto, principal.subject);
    if (!file) throw fail(404);
    const size = `${body.length} bytes`;
    const { additionalMetadata } = query;
    const message = additionalMetadata ? `${additionalMetadata}, ${size}` : size;
    return { status: 200, body: { code: 200, type: file.mediaType, message } };
  },
});
