/** The objects of OpenAPI 3.0 as a table: their fields, what each holds, and what depends on it (OAS 3.0.4, sections 4.7.1 to 4.7.30). */

import {
  anything,
  choice,
  count,
  described,
  each,
  type Field,
  field,
  filledList,
  fixed,
  flag,
  flagOrSchema,
  isolated,
  type KeyRule,
  list,
  names,
  type ObjectName,
  type ObjectTypes,
  object,
  patterned,
  referable,
  required,
  requiredIsolated,
  text,
} from './field-type';

export const pathKeys: KeyRule = {
  pattern: /^\//,
  severity: 'error',
  sentence: (key) =>
    `The path ${key} does not begin with a slash and is not served. Write /${key} instead.`,
};

export const statusKeys: KeyRule = {
  pattern: /^(?:default|[1-5](?:\d\d|XX))$/,
  severity: 'error',
  sentence: (key) =>
    `The key ${key} is not a status, and its response is never sent. Write a status from 100 to 599, a range such as 4XX, or default.`,
};

/** Makes a section of the Components Object. */
export const component = (name: ObjectName): Field =>
  isolated(
    names(object(name), {
      pattern: /^[\w.-]+$/,
      severity: 'error',
      sentence: (key) =>
        `The component name ${key} has characters that are not allowed. Use letters, digits, dots, hyphens and underscores.`,
    }),
  );

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Scheme names to required scopes. */
const requirements = field(list({ ...names(list(text)), noun: 'security requirement' }));

const content = names(object('MediaType'), {
  // RFC 9110 section 8.3.1, and ranges of section 12.5.1.
  pattern: /^\s*(?:\*|[\w!#$&^.+'`|~%-]+)\/(?:\*|[\w!#$&^.+'`|~%*-]+)\s*(?:;.*)?$/,
  severity: 'warning',
  sentence: (key) =>
    `The key ${key} is not a media type, and no body matches it. Write one such as application/json.`,
});

const examples = {
  example: isolated(anything),
  examples: isolated(names(object('Example'))),
};

const parameterFields = {
  description: isolated(text),
  required: field(flag),
  deprecated: isolated(flag),
  allowEmptyValue: field(flag),
  style: field(text),
  explode: field(flag),
  allowReserved: field(flag),
  schema: field(object('Schema')),
  content: field(content),
  'x-comma-separated': field(flag),
  ...examples,
};

/** The objects of OpenAPI 3.0. */
export const objectTypes30: ObjectTypes = {
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
    ...each(isolated(text), 'description', 'termsOfService'),
    contact: isolated(object('Contact')),
    license: isolated(object('License')),
    version: requiredIsolated(text),
  }),
  Contact: fixed('contact', each(isolated(text), 'name', 'url', 'email')),
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
  PathItem: fixed(
    'path item',
    {
      $ref: field(text),
      ...each(isolated(text), 'summary', 'description'),
      // An error in one operation is none of its siblings'.
      ...each(isolated(object('Operation')), ...methods),
      servers: isolated(list(object('Server'))),
      parameters: field(list(object('Parameter'))),
    },
    { reference: 'beside' },
  ),
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
  // Messages.
  Parameter: referable('parameter', {
    name: required(text),
    in: required(text),
    ...parameterFields,
  }),
  Header: referable('header', parameterFields),
  RequestBody: referable('request body', {
    description: isolated(text),
    content: required(content),
    required: field(flag),
    'x-identifier': field(text),
  }),
  MediaType: fixed('media type', {
    schema: field(object('Schema')),
    encoding: field(names(object('Encoding'))),
    ...examples,
  }),
  // Malformed encodings are ignored; headers whose references lead nowhere are not.
  Encoding: fixed('encoding', {
    contentType: isolated(text),
    headers: field(names(object('Header'))),
    style: isolated(text),
    ...each(isolated(flag), 'explode', 'allowReserved'),
  }),
  Response: referable('response', {
    description: requiredIsolated(text),
    headers: field(names(object('Header'))),
    content: field(content),
    links: isolated(names(object('Link'))),
  }),
  Example: referable('example', {
    ...each(isolated(text), 'summary', 'description'),
    value: isolated(anything),
    externalValue: isolated(text),
  }),
  Callback: referable('callback', {}, { members: object('PathItem') }),
  Link: referable('link', {
    ...each(isolated(text), 'operationRef', 'operationId'),
    parameters: isolated(names(anything)),
    requestBody: isolated(anything),
    description: isolated(text),
    server: isolated(object('Server')),
  }),
  // Schemas and security.
  Schema: referable('schema', {
    ...described,
    title: isolated(text),
    // The rule on keywords checks these.
    type: field(anything),
    ...each(field(text), 'format', 'pattern'),
    ...each(field(anything), 'enum', 'multipleOf', 'minimum', 'maximum'),
    ...each(field(anything), 'exclusiveMinimum', 'exclusiveMaximum'),
    ...each(field(count), 'minLength', 'maxLength'),
    nullable: field(flag),
    ...each(field(count), 'minItems', 'maxItems'),
    uniqueItems: field(flag),
    ...each(field(count), 'minProperties', 'maxProperties'),
    required: field(list(text)),
    ...each(field(filledList(object('Schema'))), 'allOf', 'oneOf', 'anyOf'),
    ...each(field(object('Schema')), 'not', 'items'),
    properties: field(names(object('Schema'))),
    additionalProperties: field(flagOrSchema),
    default: field(anything),
    discriminator: isolated(object('Discriminator')),
    ...each(field(flag), 'readOnly', 'writeOnly'),
    xml: isolated(object('XML')),
    example: isolated(anything),
    deprecated: isolated(flag),
    'x-precis': isolated(text),
  }),
  Discriminator: fixed('discriminator', {
    propertyName: requiredIsolated(text),
    mapping: isolated(names(text)),
  }),
  XML: fixed('XML object', {
    ...each(isolated(text), 'name', 'namespace', 'prefix'),
    ...each(isolated(flag), 'attribute', 'wrapped'),
  }),
  SecurityScheme: referable(
    'security scheme',
    {
      type: required(choice('apiKey', 'http', 'oauth2', 'openIdConnect')),
      description: isolated(text),
      name: field(text),
      in: field(choice('query', 'header', 'cookie')),
      scheme: field(text),
      bearerFormat: isolated(text),
      flows: field(object('OAuthFlows')),
      openIdConnectUrl: isolated(text),
    },
    {
      requiredByType: {
        apiKey: ['name', 'in'],
        http: ['scheme'],
        oauth2: ['flows'],
        openIdConnect: ['openIdConnectUrl'],
      },
    },
  ),
  OAuthFlows: fixed(
    'flows object',
    each(
      field(object('OAuthFlow')),
      ...['implicit', 'password', 'clientCredentials', 'authorizationCode'],
    ),
  ),
  OAuthFlow: fixed('flow', {
    ...each(isolated(text), 'authorizationUrl', 'tokenUrl', 'refreshUrl'),
    scopes: required(names(text)),
  }),
};
