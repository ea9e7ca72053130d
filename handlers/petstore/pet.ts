/** What the operations tagged `pet` do. */

import type { Handlers } from '../../src/engine';
import type { Resources } from '../../src/server/services/resources';
import type { PetOperations } from './types';

/** What the handlers work with. */
export type PetResources = Pick<Resources, 'pets' | 'fileUrl' | 'detectMediaType'>;

/** Handlers of the operations tagged `pet`. */
export const petHandlers = ({
  pets,
  fileUrl,
  detectMediaType,
}: PetResources): Handlers<PetOperations> => ({
  async updatePet({ body, fail }) {
    const pet = await pets.replace(body.id, body);
    if (!pet) throw fail(404);
    return { status: 200, body: pet };
  },

  async addPet({ body, fail }) {
    const pet = await pets.add(body);
    if (!pet) throw fail(405);
    return { status: 200, body: pet };
  },

  async findPetsByStatus({ query }) {
    return { status: 200, body: await pets.byStatuses(query.status) };
  },

  async findPetsByTags({ query }) {
    return { status: 200, body: await pets.byTags(query.tags ?? []) };
  },

  async getPetById({ path, fail }) {
    const pet = await pets.find(path.petId);
    if (!pet) throw fail(404);
    return { status: 200, body: pet };
  },

  async updatePetWithForm({ path, query, fail }) {
    const pet = await pets.patch(path.petId, query);
    if (!pet) throw fail(405);
    return { status: 200, body: pet };
  },

  async deletePet({ path, fail }) {
    if (!(await pets.remove(path.petId))) throw fail(400);
    return { status: 200 };
  },

  async uploadFile({ path, query, body, fail }) {
    const mediaType = detectMediaType(body);
    if (!(await pets.addPhoto(path.petId, { mediaType, bytes: body }, fileUrl))) throw fail(404);
    const size = `${body.length} bytes`;
    const { additionalMetadata } = query;
    const message = additionalMetadata ? `${additionalMetadata}, ${size}` : size;
    return { status: 200, body: { code: 200, type: mediaType, message } };
  },
});
