/** The advertisements contract, row by row, its faults included. */

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

export const adsContract: ContractTable = {
  name: 'ads',
  tags: { ad: 'Add an ad', user: 'Create a user, log in, log out' },
  operations: {
    ad: {
      addAd: {
        endpoint: 'POST /ad',
        body: { required: true, media: [JSON_TYPE], schema: schema('Ad') },
        success: { 200: { media: [JSON_TYPE], schema: schema('Ad') } },
        errors: { 405: 'Invalid input' },
        security: [{ ads_auth: ['write:ads', 'read:ads'] }],
      },
    },
    user: {
      createUser: {
        endpoint: 'POST /user',
        body: { required: false, media: JSON_XML_FORM, schema: schema('User') },
        success: { default: { media: JSON_XML, schema: schema('User') } },
      },
      loginUser: {
        endpoint: 'GET /user/login',
        parameters: {
          'query username': { required: true, schema: STRING },
          'query password': { required: true, schema: STRING },
        },
        success: { 200: LOGIN },
        errors: { 400: 'Invalid username/password supplied' },
      },
      logoutUser: {
        endpoint: 'GET /user/logout',
        success: { default: {} },
      },
    },
  },
  schemas: {
    Ad: {
      type: 'object',
      required: [
        'title',
        'propertyType',
        'publicationStatus',
        'propertyStatus',
        'description',
        'price',
        'availabilityDate',
        'userName',
      ],
      properties: {
        title: STRING,
        propertyType: oneOf('À la vente', 'À la location'),
        publicationStatus: oneOf('Publiée', 'Non publiée'),
        propertyStatus: oneOf('Disponible', 'Loué', 'Vendu'),
        description: STRING,
        price: { type: 'number', minimum: 0 },
        availabilityDate: DATE_TIME,
        photos: listOf(STRING),
        userName: STRING,
        questions: listOf(schema('Question')),
      },
    },
    Question: {
      type: 'object',
      properties: { user: STRING, question: STRING, answers: listOf(schema('Answer')) },
    },
    Answer: { type: 'object', properties: { answer: STRING, date: DATE_TIME } },
    User: {
      type: 'object',
      required: ['username', 'password', 'isAgent'],
      properties: { username: STRING, password: STRING, isAgent: BOOLEAN },
      xml: { name: 'user' },
    },
    Tag: { type: 'object', properties: { id: INT64, name: STRING }, xml: { name: 'tag' } },
    ApiResponse: { type: 'object', properties: { code: INT32, type: STRING, message: STRING } },
    Pet: {
      type: 'object',
      required: ['name', 'photoUrls'],
      properties: {
        id: INT64,
        name: STRING,
        category: schema('Category'),
        photoUrls: listOf(STRING),
        tags: listOf(schema('Tag')),
        status: oneOf('available', 'pending', 'sold'),
      },
    },
  },
  securitySchemes: schemes('ads_auth'),
  unusedSchemas: ['ApiResponse', 'Pet', 'Tag'],
  notes: {},
  danglingReferences: ['#/components/schemas/Category'],
  undeclaredScopes: ['write:ads', 'read:ads'],
};
