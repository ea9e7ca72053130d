/** Schemas and security schemes as a table (OAS 3.0.3, Schema Object to OAuth Flow Object). */

import {
  anything,
  choice,
  count,
  described,
  field,
  filledList,
  flag,
  flagOrSchema,
  idle,
  list,
  names,
  type ObjectKind,
  type ObjectName,
  object,
  required,
  requiredIdle,
  text,
} from './kind';

const schema = field(object('Schema'));
const schemas = field(filledList(object('Schema')));
const limit = field(anything);
const flow = field(object('OAuthFlow'));

export const schemaKinds = {
  Schema: {
    title: 'schema',
    referable: true,
    fields: {
      ...described,
      title: idle(text),
      // What these may be is the business of the rule on keywords.
      type: limit,
      format: limit,
      pattern: limit,
      enum: limit,
      multipleOf: limit,
      minimum: limit,
      maximum: limit,
      exclusiveMinimum: limit,
      exclusiveMaximum: limit,
      minLength: limit,
      maxLength: limit,
      nullable: limit,
      minItems: field(count),
      maxItems: field(count),
      uniqueItems: field(flag),
      minProperties: field(count),
      maxProperties: field(count),
      required: field(list(text)),
      allOf: schemas,
      oneOf: schemas,
      anyOf: schemas,
      not: schema,
      items: schema,
      properties: field(names(object('Schema'))),
      additionalProperties: field(flagOrSchema),
      default: field(anything),
      discriminator: idle(object('Discriminator')),
      readOnly: field(flag),
      writeOnly: field(flag),
      xml: idle(object('XML')),
      example: idle(anything),
      deprecated: idle(flag),
    },
  },
  Discriminator: {
    title: 'discriminator',
    referable: false,
    fields: { propertyName: requiredIdle(text), mapping: idle(names(text)) },
  },
  XML: {
    title: 'XML object',
    referable: false,
    fields: {
      name: idle(text),
      namespace: idle(text),
      prefix: idle(text),
      attribute: idle(flag),
      wrapped: idle(flag),
    },
  },
  SecurityScheme: {
    title: 'security scheme',
    referable: true,
    fields: {
      type: required(choice('apiKey', 'http', 'oauth2', 'openIdConnect')),
      description: idle(text),
      name: field(text),
      in: field(choice('query', 'header', 'cookie')),
      scheme: field(text),
      bearerFormat: idle(text),
      flows: field(object('OAuthFlows')),
      openIdConnectUrl: idle(text),
    },
    requiredByType: {
      apiKey: ['name', 'in'],
      http: ['scheme'],
      oauth2: ['flows'],
      openIdConnect: ['openIdConnectUrl'],
    },
  },
  OAuthFlows: {
    title: 'flows object',
    referable: false,
    fields: { implicit: flow, password: flow, clientCredentials: flow, authorizationCode: flow },
  },
  OAuthFlow: {
    title: 'flow',
    referable: false,
    fields: {
      authorizationUrl: idle(text),
      tokenUrl: idle(text),
      refreshUrl: idle(text),
      scopes: required(names(text)),
    },
  },
} satisfies Partial<Record<ObjectName, ObjectKind>>;
