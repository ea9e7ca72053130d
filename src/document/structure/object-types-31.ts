/** The differences of the objects of OpenAPI 3.1 from those of 3.0 (OAS 3.1.2, section 4.8). */

import {
  anything,
  choice,
  count,
  field,
  filledList,
  isolated,
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
      $id: field(text),
      $anchor: field(text),
      $ref: field(text),
      $dynamicRef: field(text),
      $dynamicAnchor: field(text),
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
      minContains: field(count),
      maxContains: field(count),
      unevaluatedItems: schema,
      if: schema,
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword, and no function
      then: schema,
      else: schema,
      contentEncoding: field(text),
      contentMediaType: field(text),
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
