/** What the loader reports of parameters, servers, paths and schemas: exact places and sentences. */

import { describe, test } from '@jest/globals';
import {
  type Case,
  expectReport,
  get,
  getOk,
  info,
  ok,
  param,
  schema,
  served,
} from './expect-report';

describe('parameters', () => {
  test.each<Case>([
    [
      'P11 a map',
      info + getOk(`parameters: {a: 1}`),
      '7:19 error field-kind: Write `parameters` as a list of parameters; it is a map. (/paths/~1a/get/parameters)',
      '6:7 error unserved-operation: The operation getA is not served until this is put right: Write `parameters` as a list of parameters; it is a map. (/paths/~1a/get)',
    ],
    [
      'P11 empty',
      info + getOk(`parameters: `),
      '7:19 error field-kind: Write `parameters` as a list of parameters; it is empty. (/paths/~1a/get/parameters)',
    ],
    [
      'P11 text in the list',
      info + getOk(`parameters: [a]`),
      '7:20 error field-kind: Write item 1 of this list as a parameter; it is the text "a". (/paths/~1a/get/parameters/0)',
      '6:7 error unserved-operation: The operation getA is not served until this is put right: Write item 1 of this list as a parameter; it is the text "a". (/paths/~1a/get)',
    ],
    [
      'P11 no name',
      info + param(`{in: query, schema: {}}`),
      '8:11 error required-field: Add the required field `name` to this parameter. (/paths/~1a/get/parameters/0)',
      '6:7 error unserved-operation: The operation getA is not served until this is put right: Add the required field `name` to this parameter. (/paths/~1a/get)',
    ],
    [
      'P11 no place',
      info + param(`{name: q, schema: {}}`),
      '8:11 error required-field: Add the required field `in` to this parameter. (/paths/~1a/get/parameters/0)',
      '6:7 error unserved-operation: The operation getA is not served until this is put right: Add the required field `in` to this parameter. (/paths/~1a/get)',
    ],
    [
      'P11 in the body',
      info + param(`{name: q, in: body, schema: {}}`),
      '8:25 error parameter: No parameter can be in body. Describe it by the `requestBody` of the operation. (/paths/~1a/get/parameters/0/in)',
      '6:7 error unserved-operation: The operation getA is not served until this is put right: The parameter q is in body, where none can be. (/paths/~1a/get)',
    ],
    [
      'P11 an unknown place',
      info + param(`{name: q, in: matrix, schema: {}}`),
      '8:25 error parameter: No parameter can be in matrix. Write path, query, header or cookie. (/paths/~1a/get/parameters/0/in)',
      '6:7 error unserved-operation: The operation getA is not served until this is put right: The parameter q is in matrix, where none can be. (/paths/~1a/get)',
    ],
    [
      'P11 neither schema nor content',
      info + param(`{name: q, in: query}`),
      '8:11 error parameter: Give this parameter a `schema` or a `content`; until then any value is taken, and none is checked. (/paths/~1a/get/parameters/0)',
    ],
    [
      'P11 a schema of its own',
      info + param(`{name: q, in: query, type: string}`),
      '8:32 warning unknown-field: OpenAPI 3.0 knows no field `type` of this parameter, and it is ignored. Move it into `schema`. (/paths/~1a/get/parameters/0/type)',
      '8:11 error parameter: Give this parameter a `schema` or a `content`; until then any value is taken, and none is checked. (/paths/~1a/get/parameters/0)',
    ],
    [
      'P11 schema and content',
      info + param(`{name: q, in: query, schema: {}, content: {text/plain: {}}}`),
      '8:44 error parameter: Remove `schema` or `content`: there must be one of them, and `schema` is used. (/paths/~1a/get/parameters/0/content)',
    ],
    [
      'P11 two media types',
      info + param(`{name: q, in: query, content: {text/plain: {}, application/json: {}}}`),
      '8:41 error parameter: Leave one media type in `content`: there must be one alone, and text/plain is used. (/paths/~1a/get/parameters/0/content)',
    ],
    [
      'P11 no media type',
      info + param(`{name: q, in: query, content: {}}`),
      '8:41 error parameter: Write one media type into `content`; until then any value is taken. (/paths/~1a/get/parameters/0/content)',
    ],
    [
      'P11 a header with both',
      info + get(`responses: {'200': {description: A, headers: {X: {schema: {}, content: {}}}}}`),
      '7:69 error parameter: Remove `schema` or `content`: there must be one of them, and `schema` is used. (/paths/~1a/get/responses/200/headers/X/content)',
    ],
    [
      'P11 a header with neither',
      info + get(`responses: {'200': {description: A, headers: {X: {}}}}`),
      '7:56 error parameter: Give this header a `schema` or a `content`; until then any value is taken, and none is checked. (/paths/~1a/get/responses/200/headers/X)',
    ],
    [
      'P12 a path parameter that is not required',
      info +
        `paths:\n  /a/{id}:\n    get:\n      parameters:\n        - {name: id, in: path, schema: {}}\n      ${ok}\n`,
      '7:11 error parameter: Add `required: true`; a path parameter is always there. (/paths/~1a~1{id}/get/parameters/0)',
    ],
    [
      'P13 a header that is ignored',
      info + param(`{name: Accept, in: header, schema: {}}`),
      '8:11 warning ignored-parameter: A header parameter called Accept is ignored. Use `security`, `requestBody` or `responses` for what it says. (/paths/~1a/get/parameters/0)',
    ],
    [
      'P15 twice in one list',
      info +
        getOk(
          `parameters:\n        - {name: q, in: query, schema: {}}\n        - {name: q, in: query, schema: {}}`,
        ),
      '9:11 error repeated-parameter: The query parameter q stands twice in this list, and the last one is used. Remove one of them. (/paths/~1a/get/parameters/1)',
    ],
    [
      'P15 headers that differ by case',
      info +
        getOk(
          `parameters:\n        - {name: q, in: header, schema: {}}\n        - {name: Q, in: header, schema: {}}`,
        ),
      '9:11 error repeated-parameter: The header parameter q stands twice in this list, and the last one is used. Remove one of them. (/paths/~1a/get/parameters/1)',
    ],
    [
      'P15 one name in two places',
      info +
        getOk(
          `parameters:\n        - {name: q, in: query, schema: {}}\n        - {name: q, in: header, schema: {}}`,
        ),
    ],
    [
      'P01 example and examples',
      info + getOk(`parameters: [{name: q, in: query, schema: {}, example: 1, examples: {}}]`),
      '7:65 error exclusive-fields: Remove `example` or `examples`: they exclude each other. (/paths/~1a/get/parameters/0/examples)',
    ],
    [
      'P01 an example with two values',
      `${info}${served}components: {examples: {e: {value: 1, externalValue: a}}}\n`,
      '4:39 error exclusive-fields: Remove `value` or `externalValue`: they exclude each other. (/components/examples/e/externalValue)',
    ],
  ])('%s', expectReport);
});

describe('servers and paths', () => {
  test.each<Case>([
    [
      'D12 no URL',
      `${info}servers: [{}]\n${served}`,
      '3:11 error required-field: Add the required field `url` to this server. (/servers/0)',
    ],
    [
      'D12 an undeclared variable',
      `${info}servers:\n  - url: /a/{b}\n${served}`,
      '4:10 error server: The URL names {b}, which stands for nothing. Declare it under `variables`. (/servers/0/url)',
    ],
    [
      'D12 a default beside the enum',
      `${info}servers:\n  - url: /{b}\n    variables: {b: {enum: [x, y], default: z}}\n${served}`,
      '5:44 error server: The default z is not among the values of `enum`. Add it there, or choose one of them. (/servers/0/variables/b/default)',
    ],
    [
      'D12 no default',
      `${info}servers:\n  - url: /{b}\n    variables: {b: {enum: [x]}}\n${served}`,
      '5:20 error required-field: Add the required field `default` to this server variable. (/servers/0/variables/b)',
    ],
    [
      'D12 an empty enum',
      `${info}servers:\n  - url: /{b}\n    variables: {b: {enum: [], default: z}}\n${served}`,
      '5:27 error field-kind: Write `enum` as a list of one or more texts; it is an empty list. (/servers/0/variables/b/enum)',
    ],
    [
      'D12 no URL at all',
      `${info}servers: [{url: 'http://[x'}]\n${served}`,
      '3:17 error server: http://[x is no URL. Correct it. (/servers/0/url)',
    ],
    [
      'D12 numbers',
      info +
        `servers:\n  - url: http://a.test:{port}/b\n    variables: {port: {enum: [80, 81], default: 80}}\n${served}`,
      '5:31 error field-kind: Put item 1 of this list in quotes; it must be text and is read as the number 80. (/servers/0/variables/port/enum/0)',
      '5:35 error field-kind: Put item 2 of this list in quotes; it must be text and is read as the number 81. (/servers/0/variables/port/enum/1)',
      '5:49 error field-kind: Put `default` in quotes; it must be text and is read as the number 80. (/servers/0/variables/port/default)',
    ],
    [
      'P12 a name twice',
      info +
        `paths:\n  /a/{id}/{id}:\n    get:\n      parameters: [{name: id, in: path, required: true, schema: {}}]\n      ${ok}\n`,
      '4:3 error path-template: The template names {id} more than once. Rename one of them. (/paths/~1a~1{id}~1{id})',
    ],
    [
      'P12 a brace alone',
      `${info}paths: {'/a/{id': {get: {${ok}}}}\n`,
      '3:9 error path-template: The template has a brace without its partner, or nothing between two. Write names as {name}. (/paths/~1a~1{id)',
    ],
    [
      'P12 empty braces',
      `${info}paths: {'/a/{}': {get: {${ok}}}}\n`,
      '3:9 error path-template: The template has a brace without its partner, or nothing between two. Write names as {name}. (/paths/~1a~1{})',
    ],
    [
      'D11 a query in the path',
      `${info}paths: {'/a?b=c': {get: {${ok}}}}\n`,
      '3:9 error path-template: A path holds neither ? nor #, and this one is never reached. Describe what follows as query parameters. (/paths/~1a?b=c)',
      '3:25 error unserved-operation: The operation get /a?b=c is not served until this is put right: A path holds neither ? nor #. (/paths/~1a?b=c/get)',
    ],
    [
      'D11 a fragment in the path',
      `${info}paths: {'/a#b': {get: {${ok}}}}\n`,
      '3:9 error path-template: A path holds neither ? nor #, and this one is never reached. Describe what follows as query parameters. (/paths/~1a#b)',
      '3:23 error unserved-operation: The operation get /a#b is not served until this is put right: A path holds neither ? nor #. (/paths/~1a#b/get)',
    ],
  ])('%s', expectReport);
});

describe('schemas', () => {
  test.each<Case>([
    [
      'D06 a misspelt keyword',
      schema(`{type: object, propertys: {}}`),
      '6:23 warning unknown-field: OpenAPI 3.0 knows no field `propertys` of this schema, and it is ignored. Write `properties`, if that is meant. (/components/schemas/A/propertys)',
    ],
    [
      'D02 a keyword of other versions',
      schema(`{const: 1}`),
      '6:9 warning unknown-field: OpenAPI 3.0 knows no field `const` of this schema, and it is ignored. Remove it, or begin its name with `x-`. (/components/schemas/A/const)',
    ],
    [
      'D06 properties that are a list',
      schema(`{properties: [a]}`),
      '6:21 error field-kind: Write `properties` as a map of schemas; it is a list. (/components/schemas/A/properties)',
    ],
    [
      'D06 a property that is text',
      schema(`{properties: {a: string}}`),
      '6:25 error field-kind: Write `a` as a schema; it is the text "string". (/components/schemas/A/properties/a)',
    ],
    [
      'X28 an empty allOf',
      schema(`{allOf: []}`),
      '6:16 error field-kind: Write `allOf` as a list of one or more schemas; it is an empty list. (/components/schemas/A/allOf)',
    ],
    [
      'X28 an allOf that is a map',
      schema(`{allOf: {}}`),
      '6:16 error field-kind: Write `allOf` as a list of one or more schemas; it is an empty map. (/components/schemas/A/allOf)',
    ],
    [
      'D03 required at the property',
      schema(`{properties: {a: {required: true}}}`),
      '6:36 error field-kind: Write `required` as a list of texts; it is true. (/components/schemas/A/properties/a/required)',
    ],
    [
      'D06 additionalProperties that are text',
      schema(`{additionalProperties: x}`),
      '6:31 error field-kind: Write `additionalProperties` as true, false or a schema; it is the text "x". (/components/schemas/A/additionalProperties)',
    ],
    [
      'D02 items that are a list',
      schema(`{type: array, items: [{}]}`),
      '6:29 error field-kind: Write `items` as a schema; it is a list. (/components/schemas/A/items)',
    ],
    [
      'D02 a negative count',
      schema(`{minItems: -1}`),
      '6:19 error field-kind: Write `minItems` as a whole number from 0; it is -1. (/components/schemas/A/minItems)',
    ],
    [
      'D02 a pattern that is none',
      schema(`{type: string, pattern: '('}`),
      '6:8 error schema-keyword: The pattern "(" is not a regular expression. Correct the schema. (/components/schemas/A)',
    ],
    [
      'D03 a required property that is not described',
      schema(`{required: [a, b], properties: {a: {}}}`),
      '6:23 warning required-property: The property b is required and not described. Add it to `properties`, or correct its name. (/components/schemas/A/required/1)',
    ],
    [
      'D03 a required property of another part',
      schema(`{required: [a], allOf: [{required: [b], properties: {}}], properties: {}}`),
    ],
    [
      'D07 a property that is not required',
      schema(`{properties: {k: {type: string}}, discriminator: {propertyName: k}}`),
      '6:8 warning discriminator: The property k tells variants apart and is not required here. Add it to `required`. (/components/schemas/A)',
    ],
    [
      'D07 a required property',
      schema(`{required: [k], properties: {k: {type: string}}, discriminator: {propertyName: k}}`),
    ],
    [
      'D07 variants and mappings',
      schema(
        `{oneOf: [{allOf: [{required: [k], properties: {k: {}}}]}, {properties: {k: {}}}], discriminator: {propertyName: k, mapping: {a: B, b: '#/nope', c: A}}}`,
      ),
      '6:66 warning discriminator: The property k tells variants apart and is not required here. Add it to `required`. (/components/schemas/A/oneOf/1)',
      '6:136 warning discriminator: The mapping of a leads to no schema: B. Write the name of a component, or a reference. (/components/schemas/A/discriminator/mapping/a)',
      '6:142 warning discriminator: The mapping of b leads to no schema: #/nope. Write the name of a component, or a reference. (/components/schemas/A/discriminator/mapping/b)',
    ],
    [
      'D07 no property',
      schema(`{discriminator: {}}`),
      '6:24 error required-field: Add the required field `propertyName` to this discriminator. (/components/schemas/A/discriminator)',
    ],
    [
      'D08 a reference that is no text',
      schema(`{$ref: 5}`),
      '6:15 error field-kind: Write `$ref` as text, such as #/components/schemas/Name. (/components/schemas/A/$ref)',
    ],
    [
      'D08 a reference by name',
      schema(`{$ref: '#A'}`),
      '6:15 warning reference: The reference #A cannot be resolved: its fragment is no JSON Pointer such as #/a/b. Whatever needs it is not served. Correct the reference, or add what it names. (/components/schemas/A/$ref)',
    ],
  ])('%s', expectReport);
});
