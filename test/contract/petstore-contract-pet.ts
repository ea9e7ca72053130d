/** The pet store contract's table "Pet operations", row by row. */

import {
  INT64,
  JSON_TYPE,
  JSON_XML,
  JSON_XML_FORM,
  listOf,
  type OperationRow,
  oneOf,
  STRING,
  schema,
} from './contract-table';

const OAUTH = { petstore_auth: ['write:pets', 'read:pets'] };
const KEY = { api_key: [] };
const PET_ID = { 'path petId': { required: true, schema: INT64 } };
const PET = { media: JSON_XML, schema: schema('Pet') };
const PETS = { media: JSON_XML, schema: listOf(schema('Pet')) };
const PET_BODY = { required: true, media: JSON_XML_FORM, schema: schema('Pet') };

export const petOperations = {
  updatePet: {
    tag: 'pet',
    method: 'put',
    path: '/pet',
    parameters: {},
    body: PET_BODY,
    success: { 200: PET },
    errors: { 400: 'Invalid ID supplied', 404: 'Pet not found', 405: 'Validation exception' },
    security: [OAUTH],
  },
  addPet: {
    tag: 'pet',
    method: 'post',
    path: '/pet',
    parameters: {},
    body: PET_BODY,
    success: { 200: PET },
    errors: { 405: 'Invalid input' },
    security: [OAUTH],
  },
  findPetsByStatus: {
    tag: 'pet',
    method: 'get',
    path: '/pet/findByStatus',
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
    tag: 'pet',
    method: 'get',
    path: '/pet/findByTags',
    parameters: {
      'query tags': { required: false, style: 'form', explode: true, schema: listOf(STRING) },
    },
    success: { 200: PETS },
    errors: { 400: 'Invalid tag value' },
    security: [OAUTH],
  },
  getPetById: {
    tag: 'pet',
    method: 'get',
    path: '/pet/{petId}',
    parameters: PET_ID,
    success: { 200: PET },
    errors: { 400: 'Invalid ID supplied', 404: 'Pet not found' },
    security: [KEY, OAUTH],
  },
  updatePetWithForm: {
    tag: 'pet',
    method: 'post',
    path: '/pet/{petId}',
    parameters: {
      ...PET_ID,
      'query name': { required: false, schema: STRING },
      'query status': { required: false, schema: STRING },
    },
    success: {},
    errors: { 405: 'Invalid input' },
    security: [OAUTH],
  },
  deletePet: {
    tag: 'pet',
    method: 'delete',
    path: '/pet/{petId}',
    parameters: { ...PET_ID, 'header api_key': { required: false, schema: STRING } },
    success: {},
    errors: { 400: 'Invalid pet value' },
    security: [OAUTH],
  },
  uploadFile: {
    tag: 'pet',
    method: 'post',
    path: '/pet/{petId}/uploadImage',
    parameters: { ...PET_ID, 'query additionalMetadata': { required: false, schema: STRING } },
    body: {
      required: false,
      media: ['application/octet-stream'],
      schema: { type: 'string', format: 'binary' },
    },
    success: { 200: { media: [JSON_TYPE], schema: schema('ApiResponse') } },
    errors: {},
    security: [OAUTH],
  },
} satisfies Record<string, OperationRow>;
