/** What the loader reports of operations, security and the frame of a document: exact places and sentences. */

import { describe, test } from '@jest/globals';
import { type Case, expectReport, get, getOk, info, ok, served } from './expect-report';

describe('the frame', () => {
  test.each<Case>([
    [
      'D13 a missing title',
      `info: {version: '1'}\n${served}`,
      '2:7 error required-field: Add the required field `title` to this info object. (/info)',
    ],
    [
      'D13 a missing info',
      `${served}`,
      '1:1 error required-field: Add the required field `info` to this document. ()',
    ],
    [
      'D13 missing paths',
      `info: {title: T, version: '1'}\n`,
      '1:1 error required-field: Add the required field `paths` to this document. ()',
    ],
    [
      'D13 a version that is a number',
      `info: {title: T, version: 1.0}\n${served}`,
      '2:27 error field-kind: Put `version` in quotes; it must be text and is read as the number 1. (/info/version)',
    ],
    [
      'D13 paths that are a list',
      `${info}paths: []\n`,
      '3:8 error field-kind: Write `paths` as a map of path items; it is an empty list. (/paths)',
    ],
    [
      'D13 a path without slash',
      `${info}paths:\n  pets:\n    get: {${ok}}\n`,
      '4:3 error key-pattern: The path pets does not begin with a slash and is not served. Write /pets instead. (/paths/pets)',
    ],
    [
      'D13 an empty path',
      `${info}paths: {/a: }\n`,
      '3:13 error field-kind: Write `/a` as a path item; it is empty. (/paths/~1a)',
    ],
    [
      'D13 an empty operation',
      `${info}paths: {/a: {get: , put: {${ok}}}}\n`,
      '3:19 error field-kind: Write `get` as an operation; it is empty. (/paths/~1a/get)',
    ],
    [
      'D13 empty components',
      `${info}${served}components:\n`,
      '4:12 error field-kind: Write `components` as a components object; it is empty. (/components)',
    ],
    [
      'D13 a component name with a blank',
      `${info}${served}components: {schemas: {'a b': {}}}\n`,
      '4:24 error key-pattern: The component name a b has characters that are not allowed. Use letters, digits, dots, hyphens and underscores. (/components/schemas/a b)',
    ],
    [
      'D13 a component that is text',
      `${info}${served}components: {schemas: {A: x}}\n`,
      '4:27 error field-kind: Write `A` as a schema; it is the text "x". (/components/schemas/A)',
    ],
    [
      'D13 tags',
      `${info}tags: [{name: a}, {name: a}, {}]\n${served}`,
      '3:30 error required-field: Add the required field `name` to this tag. (/tags/2)',
      '3:19 error tag: The tag a is declared more than once. Remove one of the two. (/tags/1)',
    ],
    [
      'D13 a license without name',
      `info: {title: T, version: '1', license: {}}\n${served}`,
      '2:41 error required-field: Add the required field `name` to this license. (/info/license)',
    ],
    [
      'D13 an unknown field, misspelt',
      `${info}servrs: []\n${served}`,
      '3:1 warning unknown-field: OpenAPI 3.0 knows no field `servrs` of this document, and it is ignored. Write `servers`, if that is meant. (/servrs)',
    ],
    [
      'D13 an unknown field',
      `${info}webhooks: {}\n${served}`,
      '3:1 warning unknown-field: OpenAPI 3.0 knows no field `webhooks` of this document, and it is ignored. Remove it, or begin its name with `x-`. (/webhooks)',
    ],
    ['D13 extensions', `${info}x-a: 1\n${served}`],
  ])('%s', expectReport);
});

describe('operations', () => {
  test.each<Case>([
    [
      'D13 a response without description',
      info + get(`responses: {'200': {}}`),
      '7:26 error required-field: Add the required field `description` to this response. (/paths/~1a/get/responses/200)',
    ],
    [
      'D13 no responses',
      info + get(`summary: A`),
      '6:7 error required-field: Add the required field `responses` to this operation. (/paths/~1a/get)',
    ],
    [
      'D13 empty responses',
      info + get(`responses: {}`),
      '7:18 error field-kind: Write `responses` as a map of one or more responses; it is an empty map. (/paths/~1a/get/responses)',
    ],
    [
      'D13 responses that are a list',
      info + get(`responses: []`),
      '7:18 error field-kind: Write `responses` as a map of one or more responses; it is an empty list. (/paths/~1a/get/responses)',
      '6:7 error unserved-operation: The operation getA is not served until this is put right: Write `responses` as a map of one or more responses; it is an empty list. (/paths/~1a/get)',
    ],
    [
      'R01 statuses that are none',
      info +
        get(
          `responses: {'200': {description: A}, 2xx: {description: A}, '600': {description: A}, x-a: 1}`,
        ),
      '7:67 error key-pattern: The key 600 is no status, and its response is never sent. Write a status from 100 to 599, a range such as 4XX, or default. (/paths/~1a/get/responses/600)',
      '7:44 error key-pattern: The key 2xx is no status, and its response is never sent. Write a status from 100 to 599, a range such as 4XX, or default. (/paths/~1a/get/responses/2xx)',
    ],
    [
      'R01 a status that ends no request',
      info + get(`responses: {'200': {description: A}, '102': {description: A}}`),
      '7:44 warning unreachable-response: The status 102 ends no request, and this response is never sent. Remove it. (/paths/~1a/get/responses/102)',
    ],
    [
      'D13 an empty response',
      info + get(`responses: {'200': }`),
      '7:26 error field-kind: Write `200` as a response; it is empty. (/paths/~1a/get/responses/200)',
    ],
    [
      'D13 an empty request body',
      info + getOk(`requestBody: `),
      '7:20 error field-kind: Write `requestBody` as a request body; it is empty. (/paths/~1a/get/requestBody)',
    ],
    [
      'B06 a body of GET',
      info + getOk(`requestBody: {content: {application/json: {}}}`),
      '7:7 warning request-body: The body of GET has no meaning and is not read. Remove it, or use another method. (/paths/~1a/get/requestBody)',
    ],
    [
      'B01 a body without content',
      `${info}paths: {/a: {post: {requestBody: {}, ${ok}}}}\n`,
      '3:34 error required-field: Add the required field `content` to this request body. (/paths/~1a/post/requestBody)',
      '3:20 error unserved-operation: The operation post /a is not served until this is put right: Add the required field `content` to this request body. (/paths/~1a/post)',
    ],
    [
      'B02 a key that is no media type',
      `${info}paths: {/a: {post: {requestBody: {content: {scope: {}}}, ${ok}}}}\n`,
      '3:45 warning key-pattern: The key scope is no media type, and no body ever has it. Write one such as application/json. (/paths/~1a/post/requestBody/content/scope)',
    ],
    [
      'B02 an empty media type',
      `${info}paths: {/a: {post: {requestBody: {content: {application/json: }}, ${ok}}}}\n`,
      '3:63 error field-kind: Write `application/json` as a media type; it is empty. (/paths/~1a/post/requestBody/content/application~1json)',
    ],
    [
      'B02 ranges and parameters',
      info +
        `paths: {/a: {post: {requestBody: {content: {'*/*': {}, text/*: {}, application/vnd.a+json; v=1: {}}}, ${ok}}}}\n`,
    ],
    [
      'B08 a table of what has parts',
      info +
        get(
          `responses: {'200': {description: A, content: {text/csv: {schema: {type: array, items: {}}}}}}`,
        ),
      '7:72 warning unusable-body: Nothing here writes text/csv for this schema, and no response is sent in it. Make it a list of objects of texts, numbers and booleans, or write `type: string` with `format: binary` to have it as it is. (/paths/~1a/get/responses/200/content/text~1csv/schema)',
      '6:7 error unserved-operation: The operation getA is not served until this is put right: Nothing here writes text/csv for this schema. (/paths/~1a/get)',
    ],
    [
      'B08 formats that nothing reads, beside one that is read',
      `${info}paths: {/a: {post: {requestBody: {content: {application/json: {}, application/msgpack: {schema: {type: object}}}}, ${ok}}}}\n`,
      '3:97 warning unusable-body: Nothing here reads application/msgpack for this schema, and a body in it is answered 415. Choose another media type, or write `type: string` with `format: binary` to have it as it is. (/paths/~1a/post/requestBody/content/application~1msgpack/schema)',
    ],
    [
      'R06 errors that have no place',
      info +
        get(
          `responses: {'200': {description: A}, '404': {description: A, content: {text/csv: {schema: {type: string, format: binary}}}}}`,
        ),
      '7:44 warning untold-error: An error has no place in text/csv with this schema, and is answered as where no operation is reached. Declare an object or a text for it. (/paths/~1a/get/responses/404)',
    ],
    [
      'D13 tags that are text',
      info + getOk(`tags: a`),
      '7:13 error field-kind: Write `tags` as a list of texts; it is the text "a". (/paths/~1a/get/tags)',
    ],
    [
      'D13 a tag that is empty',
      info + getOk(`tags: [null]`),
      '7:14 error field-kind: Write item 1 of this list as text; it is empty. (/paths/~1a/get/tags/0)',
    ],
    [
      'D13 an operationId that is a number',
      `${info}paths: {/a: {get: {operationId: 5, ${ok}}}}\n`,
      '3:33 error field-kind: Put `operationId` in quotes; it must be text and is read as the number 5. (/paths/~1a/get/operationId)',
    ],
    [
      'D13 a summary that is a list',
      info + getOk(`summary: [a]`),
      '7:16 error field-kind: Write `summary` as text; it is a list. (/paths/~1a/get/summary)',
    ],
    [
      'D12 servers of an operation',
      info + getOk(`servers: [{url: /b}]`),
      '7:7 warning ignored-servers: Everything is served below the first server of the document, and these `servers` are ignored. Remove them. (/paths/~1a/get/servers)',
    ],
  ])('%s', expectReport);
});

describe('security', () => {
  test.each<Case>([
    [
      'S06 empty',
      info + getOk(`security: `),
      '7:17 error field-kind: Write `security` as a list of security requirements; it is empty. (/paths/~1a/get/security)',
      '6:7 error unserved-operation: The operation getA is not served until this is put right: Write `security` as a list of security requirements; it is empty. (/paths/~1a/get)',
    ],
    [
      'S06 a map',
      info + getOk(`security: {key: []}`),
      '7:17 error field-kind: Write `security` as a list of security requirements; it is a map. (/paths/~1a/get/security)',
      '6:7 error unserved-operation: The operation getA is not served until this is put right: Write `security` as a list of security requirements; it is a map. (/paths/~1a/get)',
    ],
    [
      'S06 a map for the whole document',
      `${info}security: {key: []}\n${served}`,
      '3:11 error field-kind: Write `security` as a list of security requirements; it is a map. (/security)',
      '4:19 error unserved-operation: The operation get /a is not served until this is put right: Write `security` as a list of security requirements; it is a map. (/paths/~1a/get)',
    ],
    [
      'S04 an empty list of scopes',
      info +
        getOk(`security: [{key: }]`) +
        `components: {securitySchemes: {key: {type: apiKey, in: header, name: k}}}\n`,
      '7:24 error field-kind: Write `key` as a list of texts; it is empty. (/paths/~1a/get/security/0/key)',
    ],
    [
      'S06 an empty requirement',
      info + getOk(`security: [null]`),
      '7:18 error field-kind: Write item 1 of this list as a security requirement; it is empty. (/paths/~1a/get/security/0)',
      '6:7 error unserved-operation: The operation getA is not served until this is put right: Write item 1 of this list as a security requirement; it is empty. (/paths/~1a/get)',
    ],
    [
      'S09 an API key without name and place',
      `${info}${served}components: {securitySchemes: {k: {type: apiKey}}}\n`,
      '4:35 error required-field: Add the required field `name` to this security scheme. (/components/securitySchemes/k)',
      '4:35 error required-field: Add the required field `in` to this security scheme. (/components/securitySchemes/k)',
    ],
    [
      'S09 an API key in the body',
      `${info}${served}components: {securitySchemes: {k: {type: apiKey, in: body, name: k}}}\n`,
      '4:54 error field-kind: Write `in` as one of query, header, cookie; it is the text "body". (/components/securitySchemes/k/in)',
    ],
    [
      'S09 an HTTP scheme without its name',
      `${info + getOk(`security: [{k: []}]`)}components: {securitySchemes: {k: {type: http}}}\n`,
      '9:35 error required-field: Add the required field `scheme` to this security scheme. (/components/securitySchemes/k)',
      '6:7 error unserved-operation: The operation getA is not served until this is put right: Add the required field `scheme` to this security scheme. (/paths/~1a/get)',
    ],
    [
      'S09 OAuth without flows',
      `${info}${served}components: {securitySchemes: {k: {type: oauth2}}}\n`,
      '4:35 error required-field: Add the required field `flows` to this security scheme. (/components/securitySchemes/k)',
    ],
    [
      'S09 an unknown type',
      `${info}${served}components: {securitySchemes: {k: {type: basic}}}\n`,
      '4:42 error field-kind: Write `type` as one of apiKey, http, oauth2, openIdConnect; it is the text "basic". (/components/securitySchemes/k/type)',
    ],
    [
      'S09 flows without addresses',
      info +
        `${served}components: {securitySchemes: {k: {type: oauth2, flows: {authorizationCode: {scopes: {}}, implicit: {}}}}}\n`,
      '4:101 error required-field: Add the required field `scopes` to this flow. (/components/securitySchemes/k/flows/implicit)',
      '4:101 error oauth-flow: Add `authorizationUrl`, which the implicit flow needs. (/components/securitySchemes/k/flows/implicit)',
      '4:77 error oauth-flow: Add `authorizationUrl`, which the authorizationCode flow needs. (/components/securitySchemes/k/flows/authorizationCode)',
      '4:77 error oauth-flow: Add `tokenUrl`, which the authorizationCode flow needs. (/components/securitySchemes/k/flows/authorizationCode)',
    ],
    [
      'S09 OpenID Connect without address',
      `${info}${served}components: {securitySchemes: {k: {type: openIdConnect}}}\n`,
      '4:35 error required-field: Add the required field `openIdConnectUrl` to this security scheme. (/components/securitySchemes/k)',
    ],
  ])('%s', expectReport);
});

describe('references', () => {
  test.each<Case>([
    [
      'D10 one where none may stand',
      `${info}paths: {/a: {get: {${ok}}}, /b: {get: {$ref: '#/x-op'}}}\nx-op: {${ok}}\n`,
      '3:73 warning misplaced-reference: OpenAPI 3.0 allows no reference here; what #/x-op leads to is read in its place. Write it out. (/paths/~1b/get)',
    ],
    [
      'D10 one where none may stand, leading nowhere',
      `${info}paths: {/a: {get: {$ref: '#/nope'}}}\n`,
      '3:19 error misplaced-reference: The reference #/nope stands where OpenAPI 3.0 allows none, and cannot be resolved: the document has nothing there. Write out what it stands for. (/paths/~1a/get)',
      '3:19 error unserved-operation: The operation get /a is not served until this is put right: Write out what #/nope stands for; OpenAPI 3.0 allows no reference in the place of this operation. (/paths/~1a/get)',
    ],
    [
      'D10 one where none may stand, in a circle',
      `${info}paths: {/a: {get: {$ref: '#/paths/~1a/get'}}}\n`,
      '3:19 error misplaced-reference: The reference #/paths/~1a/get stands where OpenAPI 3.0 allows none, and cannot be resolved: it leads in a circle. Write out what it stands for. (/paths/~1a/get)',
      '3:19 error unserved-operation: The operation get /a is not served until this is put right: Write out what #/paths/~1a/get stands for; OpenAPI 3.0 allows no reference in the place of this operation. (/paths/~1a/get)',
    ],
    [
      'D10 of a path item, leading nowhere',
      `${info}paths: {/a: {$ref: '#/nope'}, /b: {get: {${ok}}}}\n`,
      '3:20 error reference: The reference #/nope cannot be resolved: the document has nothing there. The path is not served. Correct the reference. (/paths/~1a/$ref)',
    ],
    [
      'D10 of a callback',
      info +
        getOk(`callbacks: {c: {$ref: '#/components/callbacks/c'}, d: {$ref: '#/nope'}}`) +
        `components: {callbacks: {c: {'{$url}': {post: {${ok}}}}}}\n`,
      '7:68 warning reference: The reference #/nope cannot be resolved: the document has nothing there. Whatever needs it is not served. Correct the reference, or add what it names. (/paths/~1a/get/callbacks/d/$ref)',
    ],
    [
      'D10 of what answers other requests',
      `${info}x-fallback-response: {$ref: '#/nope'}\n${served}`,
      '3:29 warning reference: The reference #/nope cannot be resolved: the document has nothing there. Whatever needs it is not served. Correct the reference, or add what it names. (/x-fallback-response/$ref)',
    ],
  ])('%s', expectReport);
});
