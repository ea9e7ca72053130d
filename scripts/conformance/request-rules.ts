/** The rules for parameters, bodies and forms, by id: what a generic engine for OpenAPI 3.0 documents must do. */

import type { Rule } from './rule';

export const requestRules: readonly Rule[] = [
  {
    id: 'P01',
    line: 'Defaults: query and cookie form, path and header simple; explode true only for form.',
  },
  {
    id: 'P02',
    line: 'form, explode true, array: repeated key; a single occurrence is an array of one.',
  },
  {
    id: 'P03',
    line: 'form, explode false, array: split on commas **before** percent-decoding [3.0.4 App. C], so %2C stays in an item.',
  },
  {
    id: 'P04',
    line: "form object, explode true: properties are top-level keys and the parameter's name does not appear; explode false: alternating key,value list; odd length is an error.",
  },
  {
    id: 'P05',
    line: 'simple array: commas, in path and header; explode makes no difference for arrays.',
  },
  {
    id: 'P06',
    line: 'simple object: explode false alternating list, explode true key=value list.',
  },
  {
    id: 'P07',
    line: "label: [3.0.4 corrects the table] explode false joins by commas after the dot, explode true by dots; object forms alike. 3.0.3's table showed dots for both: accept dots as well.",
  },
  {
    id: 'P08',
    line: 'matrix: ;name=value; arrays comma-joined, or repeated ;name=; objects likewise.',
  },
  {
    id: 'P09',
    line: 'spaceDelimited and pipeDelimited: arrays in query, explode false only; encoded and raw delimiter accepted; [3.0.4] objects alternate; explode true undefined: refuse at load with a warning.',
  },
  {
    id: 'P10',
    line: 'deepObject: name[key]=value, percent-encoded brackets too; nested levels and `[]`/`[0]` accepted too.',
  },
  {
    id: 'P11',
    line: 'A parameter has `schema` or `content`, never both; `content` has exactly one entry and is parsed by its media type.',
  },
  {
    id: 'P12',
    line: 'Path parameters are required; each template name has a parameter and the other way round; check at load.',
  },
  {
    id: 'P13',
    line: 'Header names are case-insensitive; header parameters named Accept, Content-Type, Authorization are ignored.',
  },
  { id: 'P14', line: 'Query and path names are case-sensitive.' },
  {
    id: 'P15',
    line: 'Operation-level parameters override path-level ones with the same name **and** location; never remove.',
  },
  {
    id: 'P16',
    line: 'allowReserved concerns encoding by the client; a server decodes percent-triples once and must not refuse raw reserved characters that are legal in a query [3.0.4].',
  },
  {
    id: 'P17',
    line: 'allowEmptyValue: empty counts as unused; without it an empty value is validated as the empty string.',
  },
  {
    id: 'P18',
    line: 'Plus in a query value is a space in form decoding; %2B is plus [3.0.4 App. E].',
  },
  {
    id: 'P19',
    line: 'Default of a schema applies to an absent optional parameter; an empty or wrong value is not replaced.',
  },
  {
    id: 'P20',
    line: 'Typed conversion from text by schema type; refuse partial numbers; int32 and int64 ranges exact at both ends.',
  },
  { id: 'P21', line: 'A primitive parameter given twice is an error.' },
  { id: 'P22', line: 'Unknown query parameters are not forbidden by the specification: accepted.' },
  {
    id: 'P23',
    line: 'Cookie arrays and objects with form are ambiguous [3.0.4 App. D]: single values; others as form, explode false.',
  },
  { id: 'P24', line: 'Malformed percent-encoding is a 400, never a crash.' },
  { id: 'P25', line: 'nullable and enum apply after conversion.' },
  {
    id: 'B01',
    line: '`required` defaults to false; an absent body with required true is refused for **every** media type.',
  },
  {
    id: 'B02',
    line: 'Keys may be ranges; for several matches the most specific wins (exact, then type/*, then */*).',
  },
  {
    id: 'B03',
    line: 'Matching ignores media-type case and parameters unless the key carries parameters (charset, version).',
  },
  { id: 'B04', line: 'A body whose type matches no key: 415.' },
  { id: 'B05', line: 'A body sent with no Content-Type: 415.' },
  { id: 'B06', line: 'GET, HEAD, DELETE bodies have no defined meaning: ignored.' },
  { id: 'B07', line: 'Structured suffixes (+json, +xml) use the base syntax.' },
  {
    id: 'B08',
    line: 'string/binary under a non-multipart type: the raw bytes are the value; maxLength counts bytes [3.0.4]; no parsing.',
  },
  { id: 'B09', line: 'byte = base64 text, checked.' },
  { id: 'B10', line: 'An empty body is "absent" for all types but binary.' },
  {
    id: 'F01',
    line: 'urlencoded: form style with explode true by default: repeated keys fill arrays, objects spread or nest by style.',
  },
  {
    id: 'F02',
    line: '[3.0.4] if none of style, explode, allowReserved is given explicitly, encode by contentType: objects as JSON text. 3.0.3 readers expect form style: accept both JSON text and nested brackets for object properties.',
  },
  {
    id: 'F03',
    line: 'Conversion of texts by property schema, including items of arrays and allOf members.',
  },
  {
    id: 'F04',
    line: 'Encoding entries for unknown properties are ignored; encoding is ignored outside multipart and urlencoded.',
  },
  {
    id: 'F05',
    line: 'multipart defaults by property: primitives text/plain, objects application/json, binary octet-stream, arrays by item.',
  },
  {
    id: 'F06',
    line: "Encoding contentType may be a list and may use wildcards: check the part's type against it.",
  },
  { id: 'F07', line: 'encoding.headers only for multipart; Content-Type there is ignored.' },
  { id: 'F08', line: 'Several files: array of binary, same part name.' },
  {
    id: 'F09',
    line: 'A field absent against an empty field: absent is absent; empty text is "" (fails for numbers).',
  },
  { id: 'F10', line: 'Form decoding: plus is space; UTF-8; malformed triples refused.' },
];
