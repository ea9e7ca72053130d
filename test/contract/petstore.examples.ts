/** One good request for each operation of the pet store, to be sent to the demo data. */

import type { Operations } from '../../handlers/petstore/types';
import type { Examples } from './example';

const JSON_TYPE = 'application/json';

/** A picture of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const rex = {
  name: 'Rex',
  category: { id: 1n, name: 'Dogs' },
  photoUrls: ['https://images.example.com/pets/rex.png'],
  tags: [
    { id: 1n, name: 'friendly' },
    { id: 9_223_372_036_854_775_807n, name: 'small' },
  ],
  status: 'available' as const,
};

const joan = {
  username: 'joan',
  firstName: 'Joan',
  lastName: 'James',
  email: 'joan@example.com',
  password: 'correct horse battery',
  phone: '+33 1 99 00 12 34',
  userStatus: 1,
};

export const petstoreExamples = {
  updatePet: {
    body: { mediaType: JSON_TYPE, value: { ...rex, id: 1n, status: 'pending' as const } },
  },
  addPet: { body: { mediaType: JSON_TYPE, value: rex } },
  findPetsByStatus: { query: { status: ['available', 'pending'] } },
  findPetsByTags: { query: { tags: ['friendly', 'small'] } },
  getPetById: { path: { petId: 1n } },
  updatePetWithForm: { path: { petId: 1n }, query: { name: 'Rex', status: 'sold' } },
  deletePet: { path: { petId: 2n }, header: { api_key: 'special-key' } },
  uploadFile: {
    path: { petId: 1n },
    query: { additionalMetadata: 'Rex at the beach' },
    body: {
      mediaType: 'application/octet-stream',
      value: Uint8Array.from(Buffer.from(PNG, 'base64')),
    },
  },
  getInventory: {},
  placeOrder: {
    body: {
      mediaType: JSON_TYPE,
      value: {
        petId: 1n,
        quantity: 1,
        shipDate: '2030-01-01T12:00:00Z',
        status: 'placed',
        complete: false,
      },
    },
  },
  getOrderById: { path: { orderId: 1n } },
  deleteOrder: { path: { orderId: 2n } },
  createUser: { body: { mediaType: JSON_TYPE, value: joan } },
  createUsersWithListInput: {
    body: {
      mediaType: JSON_TYPE,
      value: [
        { ...joan, username: 'ann', firstName: 'Ann', email: 'ann@example.com' },
        { ...joan, username: 'ben', firstName: 'Ben', email: 'ben@example.com' },
      ],
    },
  },
  loginUser: { query: { username: 'demo', password: 'demo-password' } },
  logoutUser: {},
  getUserByName: { path: { username: 'demo' } },
  updateUser: {
    path: { username: 'demo' },
    body: { mediaType: JSON_TYPE, value: { username: 'demo', email: 'demo.user@example.com' } },
  },
  deleteUser: { path: { username: 'demo' } },
} satisfies Examples<Operations>;
