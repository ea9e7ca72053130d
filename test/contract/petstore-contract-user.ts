/** The pet store contract's table "User operations", row by row. */

import {
  DATE_TIME,
  INT32,
  JSON_TYPE,
  JSON_XML,
  JSON_XML_FORM,
  listOf,
  type OperationRow,
  STRING,
  schema,
} from './contract-table';

const USERNAME = { 'path username': { required: true, schema: STRING } };
const USER = { media: JSON_XML, schema: schema('User') };
const USER_BODY = { required: false, media: JSON_XML_FORM, schema: schema('User') };

export const userOperations = {
  createUser: {
    tag: 'user',
    method: 'post',
    path: '/user',
    parameters: {},
    body: USER_BODY,
    success: { default: USER },
    errors: {},
    security: [],
  },
  createUsersWithListInput: {
    tag: 'user',
    method: 'post',
    path: '/user/createWithList',
    parameters: {},
    body: { required: false, media: [JSON_TYPE], schema: listOf(schema('User')) },
    success: { 200: USER },
    // The contract lists `default` here without a text.
    errors: { default: 'Unexpected error' },
    security: [],
  },
  loginUser: {
    tag: 'user',
    method: 'get',
    path: '/user/login',
    parameters: {
      'query username': { required: false, schema: STRING },
      'query password': { required: false, schema: STRING },
    },
    success: {
      200: {
        media: JSON_XML,
        schema: STRING,
        headers: { 'X-Rate-Limit': { schema: INT32 }, 'X-Expires-After': { schema: DATE_TIME } },
      },
    },
    errors: { 400: 'Invalid username/password supplied' },
    security: [],
  },
  logoutUser: {
    tag: 'user',
    method: 'get',
    path: '/user/logout',
    parameters: {},
    success: { default: {} },
    errors: {},
    security: [],
  },
  getUserByName: {
    tag: 'user',
    method: 'get',
    path: '/user/{username}',
    parameters: USERNAME,
    success: { 200: USER },
    errors: { 400: 'Invalid username supplied', 404: 'User not found' },
    security: [],
  },
  updateUser: {
    tag: 'user',
    method: 'put',
    path: '/user/{username}',
    parameters: USERNAME,
    body: USER_BODY,
    success: { default: {} },
    errors: {},
    security: [],
  },
  deleteUser: {
    tag: 'user',
    method: 'delete',
    path: '/user/{username}',
    parameters: USERNAME,
    success: {},
    errors: { 400: 'Invalid username supplied', 404: 'User not found' },
    security: [],
  },
} satisfies Record<string, OperationRow>;
