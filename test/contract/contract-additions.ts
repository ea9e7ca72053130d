/** Every addition of the documents to the contracts. */

import { type Additions, JSON_XML, listOf, oneOf, STRING, schema } from './contract-table';

const UNEXPECTED = { errors: { default: 'Unexpected error' } };
const NO_CONTENT = { 200: {} };

/** Further responses of an operation whose `default` is its success. */
const LISTED = {
  401: 'Not logged in: get a token by loginUser',
  403: 'Not allowed for this login',
  406: 'No acceptable media type',
  413: 'Body too large',
  429: 'Too many requests',
  500: 'Internal error',
  501: 'Not implemented',
  503: 'Service unavailable',
};
const LISTED_FOR_BODIES = {
  ...LISTED,
  400: 'Invalid user supplied',
  409: 'Username already taken',
  415: 'Unsupported media type',
};

const OF_ANY_USER = { 'x-logged-in-user': 'required' };
const OF_THAT_USER = { 'x-logged-in-user': '{username}' };
const CREATE_USER = { extensions: OF_ANY_USER, errors: LISTED_FOR_BODIES };
const LOGOUT_USER = {
  extensions: { 'x-logged-in-user': 'optional' },
  errors: { ...LISTED, 400: 'Malformed request' },
};

const FOUND_PETS = { 200: { schema: { xml: { name: 'pets' } } } };
const NAMED_USER = { 'path username': { schema: { minLength: 1 } } };
/** Beside the contracts' own fields. */
const ERRORS = {
  properties: {
    errors: listOf({
      type: 'object',
      properties: {
        in: oneOf('path', 'query', 'header', 'cookie', 'body'),
        path: STRING,
        message: STRING,
      },
    }),
  },
};
/** No keyword says what user names are compared by (RFC 8265). */
const USER = {
  properties: { username: { 'x-precis': 'UsernameCasePreserved' }, password: { writeOnly: true } },
};

export const petstoreAdditions: Additions = {
  operations: {
    updatePet: { ...UNEXPECTED, body: { 'x-identifier': 'id' } },
    addPet: UNEXPECTED,
    findPetsByStatus: {
      ...UNEXPECTED,
      parameters: { 'query status': { 'x-comma-separated': true } },
      success: FOUND_PETS,
    },
    findPetsByTags: {
      ...UNEXPECTED,
      parameters: {
        'query tags': { 'x-comma-separated': true, schema: { items: { minLength: 1 } } },
      },
      success: FOUND_PETS,
    },
    getPetById: UNEXPECTED,
    updatePetWithForm: {
      ...UNEXPECTED,
      parameters: { 'query status': { schema: { enum: ['available', 'pending', 'sold'] } } },
      success: { 200: { media: JSON_XML, schema: schema('Pet') } },
    },
    deletePet: { ...UNEXPECTED, success: NO_CONTENT },
    uploadFile: {
      errors: { ...UNEXPECTED.errors, 404: 'Pet not found' },
      body: { schema: { minLength: 1 } },
    },
    getInventory: UNEXPECTED,
    placeOrder: UNEXPECTED,
    getOrderById: {
      ...UNEXPECTED,
      parameters: { 'path orderId': { schema: { anyOf: [{ maximum: 5 }, { minimum: 11 }] } } },
    },
    deleteOrder: {
      ...UNEXPECTED,
      parameters: { 'path orderId': { schema: { maximum: 999 } } },
      success: NO_CONTENT,
    },
    createUser: { ...CREATE_USER, body: { 'x-identifier': 'username' } },
    createUsersWithListInput: {
      extensions: OF_ANY_USER,
      errors: { 400: 'Invalid user supplied', 409: 'Username already taken' },
      body: { schema: { minItems: 1 } },
    },
    loginUser: UNEXPECTED,
    logoutUser: LOGOUT_USER,
    getUserByName: { ...UNEXPECTED, parameters: NAMED_USER },
    updateUser: {
      extensions: OF_THAT_USER,
      errors: { ...LISTED_FOR_BODIES, 404: 'User not found' },
      parameters: NAMED_USER,
    },
    deleteUser: {
      ...UNEXPECTED,
      extensions: OF_THAT_USER,
      parameters: NAMED_USER,
      success: NO_CONTENT,
    },
  },
  schemas: { User: USER, ApiResponse: ERRORS },
};

export const adsAdditions: Additions = {
  operations: {
    addAd: UNEXPECTED,
    createUser: CREATE_USER,
    loginUser: UNEXPECTED,
    logoutUser: LOGOUT_USER,
  },
  schemas: { User: USER, ApiResponse: ERRORS },
};
