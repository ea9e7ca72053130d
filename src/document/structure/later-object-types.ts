/**
 * The differences of the objects of OpenAPI 3.1 from those of 3.0 (OAS 3.1.2, section 4.8), and of those of OpenAPI 3.2 from those
 * of 3.1 (OAS 3.2.0, section "Objects and Fields").
 */

import { fieldMethods, isFieldMethod } from '../../model/operation';
import {
  anything,
  choice,
  count,
  each,
  field,
  filledList,
  flag,
  isolated,
  type KeyRule,
  list,
  names,
  type ObjectTypes,
  object,
  patterned,
  required,
  text,
  withChanges,
} from './field-type';
import { component, objectTypes30, pathKeys, statusKeys } from './object-types';

const schema = field(object('Schema'));
const named = field(names(object('Schema')));

/** The objects of OpenAPI 3.1. */
export const objectTypes31: ObjectTypes = withChanges(objectTypes30, {
  OpenAPI: {
    fields: {
      jsonSchemaDialect: isolated(text),
      paths: isolated(patterned(object('PathItem'), pathKeys)),
      webhooks: isolated(names(object('PathItem'))),
    },
    requiredTogether: ['paths', 'components', 'webhooks'],
  },
  Info: { fields: { summary: isolated(text) } },
  License: { fields: { identifier: isolated(text) } },
  ServerVariable: { fields: { enum: isolated(filledList(text)) } },
  Components: { fields: { pathItems: component('PathItem') } },
  Operation: {
    fields: { responses: field({ ...patterned(object('Response'), statusKeys), filled: true }) },
  },
  Schema: {
    reference: 'beside',
    orFlag: true,
    isOpen: true,
    fields: {
      $schema: isolated(text),
      ...each(field(text), '$id', '$anchor', '$ref', '$dynamicRef', '$dynamicAnchor'),
      $vocabulary: isolated(anything),
      $comment: isolated(text),
      $defs: isolated(names(object('Schema'))),
      nullable: undefined,
      const: field(anything),
      additionalProperties: schema,
      patternProperties: named,
      propertyNames: schema,
      dependentRequired: field(names(list(text))),
      dependentSchemas: named,
      unevaluatedProperties: schema,
      prefixItems: field(filledList(object('Schema'))),
      contains: schema,
      ...each(field(count), 'minContains', 'maxContains'),
      ...each(schema, 'unevaluatedItems', 'if', 'then', 'else'),
      ...each(field(text), 'contentEncoding', 'contentMediaType'),
      contentSchema: isolated(object('Schema')),
      examples: isolated(list(anything)),
    },
  },
  Header: { fields: { allowEmptyValue: undefined, allowReserved: undefined } },
  SecurityScheme: {
    fields: {
      type: required(choice('apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect')),
    },
  },
});

/** The rule of the keys of `additionalOperations`. */
export const methodKeys: KeyRule = {
  // RFC 9110 section 9.1.
  pattern: new RegExp(`^(?!(?:${fieldMethods.join('|')})$)[\\w!#$%&'*+.^\`|~-]+$`, 'i'),
  severity: 'error',
  sentence: (key) =>
    isFieldMethod(key.toLowerCase())
      ? `The operation ${key} is not served from here. Move it to the field ${key.toLowerCase()} of the path item.`
      : `The key ${key} is not a method, and is not served. Write one such as COPY.`,
};

const encodings = {
  encoding: field(names(object('Encoding'))),
  prefixEncoding: field(list(object('Encoding'))),
  itemEncoding: field(object('Encoding')),
};

/** The objects of OpenAPI 3.2. */
export const objectTypes32: ObjectTypes = withChanges(objectTypes31, {
  OpenAPI: { fields: { $self: isolated(text) } },
  Server: { fields: { name: isolated(text) } },
  Components: { fields: { mediaTypes: component('MediaType') } },
  PathItem: {
    fields: {
      query: isolated(object('Operation')),
      additionalOperations: isolated(names(object('Operation'), methodKeys)),
    },
  },
  MediaType: {
    reference: 'instead',
    fields: { itemSchema: field(object('Schema')), ...encodings },
  },
  Encoding: { fields: encodings },
  Response: { fields: each(isolated(text), 'summary', 'description') },
  Example: { fields: { dataValue: isolated(anything), serializedValue: isolated(text) } },
  Tag: { fields: each(isolated(text), 'summary', 'parent', 'kind') },
  Discriminator: { fields: { defaultMapping: isolated(text) } },
  XML: {
    fields: { nodeType: isolated(choice('element', 'attribute', 'text', 'cdata', 'none')) },
  },
  SecurityScheme: { fields: { oauth2MetadataUrl: isolated(text), deprecated: isolated(flag) } },
  OAuthFlows: { fields: { deviceAuthorization: field(object('OAuthFlow')) } },
  OAuthFlow: { fields: { deviceAuthorizationUrl: isolated(text) } },
});
