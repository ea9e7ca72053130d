/** What requests and responses are described by, as a table (OAS 3.0.3, Parameter Object to Link Object). */

import {
  anything,
  field,
  fixed,
  flag,
  isolated,
  type KeyRule,
  names,
  type ObjectName,
  type ObjectType,
  object,
  referable,
  required,
  requiredIsolated,
  text,
} from './field-type';

// RFC 9110 section 8.3.1, and ranges of section 12.5.1.
const mediaTypeKeys: KeyRule = {
  pattern: /^\s*(?:\*|[\w!#$&^.+'`|~%-]+)\/(?:\*|[\w!#$&^.+'`|~%*-]+)\s*(?:;.*)?$/,
  severity: 'warning',
  sentence: (key) =>
    `The key ${key} is no media type, and no body ever has it. Write one such as application/json.`,
};

const content = names(object('MediaType'), mediaTypeKeys);

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

export const messageTypes = {
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
  // What is no encoding is passed over; headers that lead nowhere are not.
  Encoding: fixed('encoding', {
    contentType: isolated(text),
    headers: field(names(object('Header'))),
    style: isolated(text),
    explode: isolated(flag),
    allowReserved: isolated(flag),
  }),
  Response: referable('response', {
    description: requiredIsolated(text),
    headers: field(names(object('Header'))),
    content: field(content),
    links: isolated(names(object('Link'))),
  }),
  Example: referable('example', {
    summary: isolated(text),
    description: isolated(text),
    value: isolated(anything),
    externalValue: isolated(text),
  }),
  Callback: referable('callback', {}, { members: object('PathItem') }),
  Link: referable('link', {
    operationRef: isolated(text),
    operationId: isolated(text),
    parameters: isolated(names(anything)),
    requestBody: isolated(anything),
    description: isolated(text),
    server: isolated(object('Server')),
  }),
} satisfies Partial<Record<ObjectName, ObjectType>>;
