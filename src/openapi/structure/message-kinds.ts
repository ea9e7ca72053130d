/** What requests and responses are described by, as a table (OAS 3.0.3, Parameter Object to Link Object). */

import {
  anything,
  field,
  flag,
  idle,
  names,
  type ObjectKind,
  type ObjectName,
  object,
  required,
  requiredIdle,
  text,
} from './kind';

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
  content: field(names(object('MediaType'))),
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
      content: required(names(object('MediaType'))),
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
      content: field(names(object('MediaType'))),
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
