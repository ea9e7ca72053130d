/** The frame of a document as a table: from the OpenAPI Object down to operations (OAS 3.0.3, section 4.7). */

import {
  described,
  type Field,
  field,
  filledList,
  filledMap,
  flag,
  idle,
  type KeyRule,
  list,
  names,
  type ObjectKind,
  type ObjectName,
  object,
  patterned,
  required,
  requiredIdle,
  text,
} from './kind';

const pathKeys: KeyRule = {
  pattern: /^\//,
  severity: 'error',
  sentence: (key) =>
    `The path ${key} does not begin with a slash and is not served. Write /${key} instead.`,
};

const statusKeys: KeyRule = {
  pattern: /^(?:default|[1-5](?:\d\d|XX))$/,
  severity: 'error',
  sentence: (key) =>
    `The key ${key} is no status, and its response is never sent. Write a status from 100 to 599, a range such as 4XX, or default.`,
};

const componentKeys: KeyRule = {
  pattern: /^[\w.-]+$/,
  severity: 'error',
  sentence: (key) =>
    `The component name ${key} has characters that are not allowed. Use letters, digits, dots, hyphens and underscores.`,
};

const component = (name: ObjectName): Field => idle(names(object(name), componentKeys));

// A fault of one operation is no fault of its siblings.
const operation = idle(object('Operation'));

/** Scheme names to required scopes. */
const requirements = field(list(names(list(text), undefined, 'security requirement')));

export const documentKinds = {
  OpenAPI: {
    title: 'document',
    referable: false,
    fields: {
      openapi: requiredIdle(text),
      info: requiredIdle(object('Info')),
      servers: idle(list(object('Server'))),
      paths: requiredIdle(patterned(object('PathItem'), pathKeys)),
      components: idle(object('Components')),
      security: requirements,
      tags: idle(list(object('Tag'))),
      externalDocs: idle(object('ExternalDocumentation')),
      'x-fallback-response': idle(object('Response')),
      'x-bundled-paths': idle(names(object('PathItem'))),
    },
  },
  Info: {
    title: 'info object',
    referable: false,
    fields: {
      title: requiredIdle(text),
      description: idle(text),
      termsOfService: idle(text),
      contact: idle(object('Contact')),
      license: idle(object('License')),
      version: requiredIdle(text),
    },
  },
  Contact: {
    title: 'contact',
    referable: false,
    fields: { name: idle(text), url: idle(text), email: idle(text) },
  },
  License: {
    title: 'license',
    referable: false,
    fields: { name: requiredIdle(text), url: idle(text) },
  },
  Server: {
    title: 'server',
    referable: false,
    fields: {
      url: requiredIdle(text),
      description: idle(text),
      variables: idle(names(object('ServerVariable'))),
    },
  },
  ServerVariable: {
    title: 'server variable',
    referable: false,
    fields: {
      enum: idle(filledList(text)),
      default: requiredIdle(text),
      description: idle(text),
    },
  },
  Components: {
    title: 'components object',
    referable: false,
    fields: {
      schemas: component('Schema'),
      responses: component('Response'),
      parameters: component('Parameter'),
      examples: component('Example'),
      requestBodies: component('RequestBody'),
      headers: component('Header'),
      securitySchemes: component('SecurityScheme'),
      links: component('Link'),
      callbacks: component('Callback'),
    },
  },
  PathItem: {
    title: 'path item',
    referable: true,
    fields: {
      summary: idle(text),
      description: idle(text),
      get: operation,
      put: operation,
      post: operation,
      delete: operation,
      options: operation,
      head: operation,
      patch: operation,
      trace: operation,
      servers: idle(list(object('Server'))),
      parameters: field(list(object('Parameter'))),
    },
  },
  Operation: {
    title: 'operation',
    referable: false,
    fields: {
      ...described,
      tags: idle(list(text)),
      summary: idle(text),
      operationId: field(text),
      parameters: field(list(object('Parameter'))),
      requestBody: field(object('RequestBody')),
      responses: required(filledMap(object('Response'), statusKeys)),
      callbacks: idle(names(object('Callback'))),
      deprecated: idle(flag),
      security: requirements,
      servers: idle(list(object('Server'))),
      'x-logged-in-user': field(text),
    },
  },
  ExternalDocumentation: {
    title: 'external documentation object',
    referable: false,
    fields: { description: idle(text), url: requiredIdle(text) },
  },
  Tag: {
    title: 'tag',
    referable: false,
    fields: { name: requiredIdle(text), ...described },
  },
} satisfies Partial<Record<ObjectName, ObjectKind>>;
