/** Schemas and security schemes as a table (OAS 3.0.3, Schema Object to OAuth Flow Object). */

import {
  anything,
  choice,
  count,
  described,
  field,
  filledList,
  fixed,
  flag,
  flagOrSchema,
  isolated,
  list,
  names,
  type ObjectName,
  type ObjectType,
  object,
  referable,
  required,
  requiredIsolated,
  text,
} from './field-type';

const schema = field(object('Schema'));
const schemas = field(filledList(object('Schema')));
const limit = field(anything);
const flow = field(object('OAuthFlow'));

export const schemaTypes = {
  Schema: referable('schema', {
    ...described,
    title: isolated(text),
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
    discriminator: isolated(object('Discriminator')),
    readOnly: field(flag),
    writeOnly: field(flag),
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
    name: isolated(text),
    namespace: isolated(text),
    prefix: isolated(text),
    attribute: isolated(flag),
    wrapped: isolated(flag),
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
  OAuthFlows: fixed('flows object', {
    implicit: flow,
    password: flow,
    clientCredentials: flow,
    authorizationCode: flow,
  }),
  OAuthFlow: fixed('flow', {
    authorizationUrl: isolated(text),
    tokenUrl: isolated(text),
    refreshUrl: isolated(text),
    scopes: required(names(text)),
  }),
} satisfies Partial<Record<ObjectName, ObjectType>>;
