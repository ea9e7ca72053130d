/** The pet store contract: its resources, its schemes and, from their own files, its operations. */

import {
  BOOLEAN,
  type ContractTable,
  DATE_TIME,
  INT32,
  INT64,
  listOf,
  oneOf,
  STRING,
  schema,
} from './contract-table';
import { petOperations } from './petstore-contract-pet';
import { storeOperations } from './petstore-contract-store';
import { userOperations } from './petstore-contract-user';

const NAMED = { type: 'object', properties: { id: INT64, name: STRING } };

export const petstoreContract: ContractTable = {
  name: 'petstore',
  tags: {
    pet: 'Add, update, find, delete pets, update a pet by form data, upload an image for a pet',
    store: 'Inventory counts by status, place, fetch and delete orders for pets',
    user: 'Create, read, update, delete users, create users in bulk, log in and log out',
  },
  operations: { ...petOperations, ...storeOperations, ...userOperations },
  schemas: {
    Pet: {
      type: 'object',
      required: ['name', 'photoUrls'],
      properties: {
        id: INT64,
        name: STRING,
        category: schema('Category'),
        photoUrls: { ...listOf({ ...STRING, xml: { name: 'photoUrl' } }), xml: { wrapped: true } },
        tags: { ...listOf(schema('Tag')), xml: { wrapped: true } },
        status: oneOf('available', 'pending', 'sold'),
      },
      xml: { name: 'pet' },
    },
    Category: { ...NAMED, xml: { name: 'category' } },
    Tag: { ...NAMED, xml: { name: 'tag' } },
    Order: {
      type: 'object',
      properties: {
        id: INT64,
        petId: INT64,
        quantity: INT32,
        shipDate: DATE_TIME,
        status: oneOf('placed', 'approved', 'delivered'),
        complete: BOOLEAN,
      },
      xml: { name: 'order' },
    },
    User: {
      type: 'object',
      properties: {
        id: INT64,
        username: STRING,
        firstName: STRING,
        lastName: STRING,
        email: STRING,
        password: STRING,
        phone: STRING,
        userStatus: INT32,
      },
      xml: { name: 'user' },
    },
    ApiResponse: { type: 'object', properties: { code: INT32, type: STRING, message: STRING } },
    Customer: {
      type: 'object',
      properties: {
        id: INT64,
        username: STRING,
        address: { ...listOf(schema('Address')), xml: { name: 'addresses', wrapped: true } },
      },
      xml: { name: 'customer' },
    },
    Address: {
      type: 'object',
      properties: { street: STRING, city: STRING, state: STRING, zip: STRING },
      xml: { name: 'address' },
    },
    Inventory: { type: 'object', additionalProperties: INT32 },
  },
  securitySchemes: {
    petstore_auth: {
      type: 'oauth2',
      flows: {
        implicit: {
          authorizationUrl: '{auth_url}/oauth/authorize',
          scopes: { 'write:pets': 'modify pets in your account', 'read:pets': 'read your pets' },
        },
      },
    },
    api_key: { type: 'apiKey', name: 'api_key', in: 'header' },
  },
  unusedSchemas: ['Address', 'Customer'],
  notes: {
    'Pet.status': 'pet status in the store',
    'Order.status': 'order status',
    'User.userStatus': 'user status',
  },
  danglingReferences: [],
  undeclaredScopes: [],
};
