/** The differences of the objects of OpenAPI 3.2 from those of 3.1 (OAS 3.2.0, section "Objects and Fields"). */

import { fieldMethods, isFieldMethod } from '../../model/operation';
import {
  anything,
  choice,
  field,
  flag,
  isolated,
  type KeyRule,
  list,
  names,
  type ObjectTypes,
  object,
  text,
  withChanges,
} from './field-type';
import { component } from './object-types';
import { objectTypes31 } from './object-types-31';

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
  Response: { fields: { summary: isolated(text), description: isolated(text) } },
  Example: { fields: { dataValue: isolated(anything), serializedValue: isolated(text) } },
  Tag: { fields: { summary: isolated(text), parent: isolated(text), kind: isolated(text) } },
  Discriminator: { fields: { defaultMapping: isolated(text) } },
  XML: {
    fields: { nodeType: isolated(choice('element', 'attribute', 'text', 'cdata', 'none')) },
  },
  SecurityScheme: { fields: { oauth2MetadataUrl: isolated(text), deprecated: isolated(flag) } },
  OAuthFlows: { fields: { deviceAuthorization: field(object('OAuthFlow')) } },
  OAuthFlow: { fields: { deviceAuthorizationUrl: isolated(text) } },
});
