/** The pet store contract, row by row. */

import {
  BOOLEAN,
  type ContractTable,
  DATE_TIME,
  INT32,
  INT64,
  JSON_TYPE,
  JSON_XML,
  JSON_XML_FORM,
  LOGIN,
  listOf,
  oneOf,
  STRING,
  schema,
  schemes,
} from './contract-table';

const OAUTH = { petstore_auth: ['write:pets', 'read:pets'] };
const KEY = { api_key: [] };
const PET_ID = { 'path petId': { required: true, schema: INT64 } };
const PET = { media: JSON_XML, schema: schema('Pet') };
const PETS = { media: JSON_XML, schema: listOf(schema('Pet')) };
const PET_BODY = { required: true, media: JSON_XML_FORM, schema: schema('Pet') };
const ORDER_ID = { 'path orderId': { required: true, schema: INT64 } };
const USERNAME = { 'path username': { required: true, schema: STRING } };
const USER = { media: JSON_XML, schema: schema('User') };
const USER_BODY = { required: false, media: JSON_XML_FORM, schema: schema('User') };

const NAMED = { type: 'object', properties: { id: INT64, name: STRING } };

export const petstoreContract: ContractTable = {
  name: 'petstore',
  tags: {
    pet: 'Add, update, find, delete pets, update a pet by form data, upload an image for a pet',
    store: 'Inventory counts by status, place, fetch and delete orders for pets',
    user: 'Create, read, update, delete users, create users in bulk, log in and log out',
  },
  operations: {
    pet: {
      updatePet: {
        endpoint: 'PUT /pet',
        body: PET_BODY,
        success: { 200: PET },
        errors: { 400: 'Invalid ID supplied', 404: 'Pet not found', 405: 'Validation exception' },
        security: [OAUTH],
      },
      addPet: {
        endpoint: 'POST /pet',
        body: PET_BODY,
        success: { 200: PET },
        errors: { 405: 'Invalid input' },
        security: [OAUTH],
      },
      findPetsByStatus: {
        endpoint: 'GET /pet/findByStatus',
        parameters: {
          'query status': {
            required: false,
            schema: { ...oneOf('available', 'pending', 'sold'), default: 'available' },
          },
        },
        success: { 200: PETS },
        errors: { 400: 'Invalid status value' },
        security: [OAUTH],
      },
      findPetsByTags: {
        endpoint: 'GET /pet/findByTags',
        parameters: {
          'query tags': { required: false, style: 'form', explode: true, schema: listOf(STRING) },
        },
        success: { 200: PETS },
        errors: { 400: 'Invalid tag value' },
        security: [OAUTH],
      },
      getPetById: {
        endpoint: 'GET /pet/{petId}',
        parameters: PET_ID,
        success: { 200: PET },
        errors: { 400: 'Invalid ID supplied', 404: 'Pet not found' },
        security: [KEY, OAUTH],
      },
      updatePetWithForm: {
        endpoint: 'POST /pet/{petId}',
        parameters: {
          ...PET_ID,
          'query name': { required: false, schema: STRING },
          'query status': { required: false, schema: STRING },
        },
        errors: { 405: 'Invalid input' },
        security: [OAUTH],
      },
      deletePet: {
        endpoint: 'DELETE /pet/{petId}',
        parameters: { ...PET_ID, 'header api_key': { required: false, schema: STRING } },
        errors: { 400: 'Invalid pet value' },
        security: [OAUTH],
      },
      uploadFile: {
        endpoint: 'POST /pet/{petId}/uploadImage',
        parameters: { ...PET_ID, 'query additionalMetadata': { required: false, schema: STRING } },
        body: {
          required: false,
          media: ['application/octet-stream'],
          schema: { type: 'string', format: 'binary' },
        },
        success: { 200: { media: [JSON_TYPE], schema: schema('ApiResponse') } },
        security: [OAUTH],
      },
    },
    store: {
      getInventory: {
        endpoint: 'GET /store/inventory',
        success: { 200: { media: [JSON_TYPE], schema: schema('Inventory') } },
        security: [KEY],
      },
      placeOrder: {
        endpoint: 'POST /store/order',
        body: { required: false, media: JSON_XML_FORM, schema: schema('Order') },
        success: { 200: { media: [JSON_TYPE], schema: schema('Order') } },
        errors: { 405: 'Invalid input' },
      },
      getOrderById: {
        endpoint: 'GET /store/order/{orderId}',
        parameters: ORDER_ID,
        success: { 200: { media: JSON_XML, schema: schema('Order') } },
        errors: { 400: 'Invalid ID supplied', 404: 'Order not found' },
      },
      deleteOrder: {
        endpoint: 'DELETE /store/order/{orderId}',
        parameters: ORDER_ID,
        errors: { 400: 'Invalid ID supplied', 404: 'Order not found' },
      },
    },
    user: {
      createUser: {
        endpoint: 'POST /user',
        body: USER_BODY,
        success: { default: USER },
      },
      createUsersWithListInput: {
        endpoint: 'POST /user/createWithList',
        body: { required: false, media: [JSON_TYPE], schema: listOf(schema('User')) },
        success: { 200: USER },
        // The contract lists `default` here without a text.
        errors: { default: 'Unexpected error' },
      },
      loginUser: {
        endpoint: 'GET /user/login',
        parameters: {
          'query username': { required: false, schema: STRING },
          'query password': { required: false, schema: STRING },
        },
        success: { 200: LOGIN },
        errors: { 400: 'Invalid username/password supplied' },
      },
      logoutUser: {
        endpoint: 'GET /user/logout',
        success: { default: {} },
      },
      getUserByName: {
        endpoint: 'GET /user/{username}',
        parameters: USERNAME,
        success: { 200: USER },
        errors: { 400: 'Invalid username supplied', 404: 'User not found' },
      },
      updateUser: {
        endpoint: 'PUT /user/{username}',
        parameters: USERNAME,
        body: USER_BODY,
        success: { default: {} },
      },
      deleteUser: {
        endpoint: 'DELETE /user/{username}',
        parameters: USERNAME,
        errors: { 400: 'Invalid username supplied', 404: 'User not found' },
      },
    },
  },
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
  securitySchemes: schemes('petstore_auth'),
  unusedSchemas: ['Address', 'Customer'],
  notes: {
    'Pet.status': 'pet status in the store',
    'Order.status': 'order status',
    'User.userStatus': 'user status',
  },
  danglingReferences: [],
  undeclaredScopes: [],
};
