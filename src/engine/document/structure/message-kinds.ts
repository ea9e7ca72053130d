/** What requests and responses are described by, as a table (OAS 3.0.3, Parameter Object to Link Object). */

import {
  anything,
  field,
  flag,
  idle,
  type KeyRule,
  names,
  type ObjectKind,
  type ObjectName,
  object,
  required,
  requiredIdle,
  text,
} from './kind';

// RFC 9110 section 8.3.1, and ranges of section 12.5.1.
const mediaTypeKeys: KeyRule = {
  pattern: /^\s*(?:\*|[\w!#$&^.+'`|~%-]+)\/(?:\*|[\w!#$&^.+'`|~%*-]+)\s*(?:;.*)?$/,
  severity: 'warning',
  sentence: (key) =>
    `The key ${key} is no media type, and no body ever has it. Write one such as application/json.`,
};

const content = names(object('MediaType'), mediaTypeKeys);

const examples = {
  example: idle(anything),
  examples: idle(names(object('Example'))),
};

const parameterFields = {
  description: idle(text),
  required: field(flag),
  deprecated: idle(flag),
  allowEmptyValue: field(flag),
  style: field(text),
  explode: field(flag),
  allowReserved: field(flag),
  schema: field(object('Schema')),
  content: field(content),
  'x-comma-separated': field(flag),
  ...examples,
};

export const messageKinds = {
  Parameter: {
    title: 'parameter',
    referable: true,
    fields: { name: required(text), in: required(text), ...parameterFields },
  },
  Header: { title: 'header', referable: true, fields: parameterFields },
  RequestBody: {
    title: 'request body',
    referable: true,
    fields: {
      description: idle(text),
      content: required(content),
      required: field(flag),
      'x-identifier': field(text),
    },
  },
  MediaType: {
    title: 'media type',
    referable: false,
    fields: {
      schema: field(object('Schema')),
      encoding: field(names(object('Encoding'))),
      ...examples,
    },
  },
  Encoding: {
    title: 'encoding',
    referable: false,
    // What is no encoding is passed over; headers that lead nowhere are not.
    fields: {
      contentType: idle(text),
      headers: field(names(object('Header'))),
      style: idle(text),
      explode: idle(flag),
      allowReserved: idle(flag),
    },
  },
  Response: {
    title: 'response',
    referable: true,
    fields: {
      description: requiredIdle(text),
      headers: field(names(object('Header'))),
      content: field(content),
      links: idle(names(object('Link'))),
    },
  },
  Example: {
    title: 'example',
    referable: true,
    fields: {
      summary: idle(text),
      description: idle(text),
      value: idle(anything),
      externalValue: idle(text),
    },
  },
  Callback: { title: 'callback', referable: true, fields: {}, members: object('PathItem') },
  Link: {
    title: 'link',
    referable: true,
    fields: {
      operationRef: idle(text),
      operationId: idle(text),
      parameters: idle(names(anything)),
      requestBody: idle(anything),
      description: idle(text),
      server: idle(object('Server')),
    },
  },
} satisfies Partial<Record<ObjectName, ObjectKind>>;
