/** The frame of a document as a table: from the OpenAPI Object down to operations (OAS 3.0.3, section 4.7). */

import {
  described,
  type Field,
  field,
  fixed,
  flag,
  isolated,
  type KeyRule,
  list,
  names,
  type ObjectName,
  type ObjectType,
  object,
  patterned,
  referable,
  required,
  requiredIsolated,
  text,
} from './field-type';

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

const component = (name: ObjectName): Field => isolated(names(object(name), componentKeys));

// An error in one operation is none of its siblings'.
const operation = isolated(object('Operation'));

/** Scheme names to required scopes. */
const requirements = field(list({ ...names(list(text)), noun: 'security requirement' }));

export const documentTypes = {
  OpenAPI: fixed('document', {
    openapi: requiredIsolated(text),
    info: requiredIsolated(object('Info')),
    servers: isolated(list(object('Server'))),
    paths: requiredIsolated(patterned(object('PathItem'), pathKeys)),
    components: isolated(object('Components')),
    security: requirements,
    tags: isolated(list(object('Tag'))),
    externalDocs: isolated(object('ExternalDocumentation')),
    'x-fallback-response': isolated(object('Response')),
    'x-bundled-paths': isolated(names(object('PathItem'))),
  }),
  Info: fixed('info object', {
    title: requiredIsolated(text),
    description: isolated(text),
    termsOfService: isolated(text),
    contact: isolated(object('Contact')),
    license: isolated(object('License')),
    version: requiredIsolated(text),
  }),
  Contact: fixed('contact', { name: isolated(text), url: isolated(text), email: isolated(text) }),
  License: fixed('license', { name: requiredIsolated(text), url: isolated(text) }),
  Server: fixed('server', {
    url: requiredIsolated(text),
    description: isolated(text),
    variables: isolated(names(object('ServerVariable'))),
  }),
  ServerVariable: fixed('server variable', {
    enum: isolated(list(text)),
    default: requiredIsolated(text),
    description: isolated(text),
  }),
  Components: fixed('components object', {
    schemas: component('Schema'),
    responses: component('Response'),
    parameters: component('Parameter'),
    examples: component('Example'),
    requestBodies: component('RequestBody'),
    headers: component('Header'),
    securitySchemes: component('SecurityScheme'),
    links: component('Link'),
    callbacks: component('Callback'),
  }),
  PathItem: referable('path item', {
    summary: isolated(text),
    description: isolated(text),
    get: operation,
    put: operation,
    post: operation,
    delete: operation,
    options: operation,
    head: operation,
    patch: operation,
    trace: operation,
    servers: isolated(list(object('Server'))),
    parameters: field(list(object('Parameter'))),
  }),
  Operation: fixed('operation', {
    ...described,
    tags: isolated(list(text)),
    summary: isolated(text),
    operationId: field(text),
    parameters: field(list(object('Parameter'))),
    requestBody: field(object('RequestBody')),
    responses: required({ ...patterned(object('Response'), statusKeys), filled: true }),
    callbacks: isolated(names(object('Callback'))),
    deprecated: isolated(flag),
    security: requirements,
    servers: isolated(list(object('Server'))),
    'x-logged-in-user': field(text),
  }),
  ExternalDocumentation: fixed('external documentation object', {
    description: isolated(text),
    url: requiredIsolated(text),
  }),
  Tag: fixed('tag', { name: requiredIsolated(text), ...described }),
} satisfies Partial<Record<ObjectName, ObjectType>>;
