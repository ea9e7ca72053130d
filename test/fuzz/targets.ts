/** All targets of the fuzzers, by name. `npm run fuzz` searches them; the tests run what the searches kept. */

import type { FuzzTargets } from '../../scripts/fuzz/target';
import { formCodec } from '../../src/engine/media-types/forms/form';
import { jsonCodec } from '../../src/engine/media-types/json/json';
import { xmlCodec } from '../../src/engine/media-types/xml/xml';
import { yamlCodec } from '../../src/engine/media-types/yaml/yaml';
import { jsonLinesCodec } from '../unit/engine/media-types/list-codecs';
import { anySample, formSample, listSample } from '../unit/engine/media-types/schema-arbitrary';
import { bodyTarget } from './targets/body-target';
import { bytesTarget, type Format, structureTarget } from './targets/codec-targets';
import {
  formDifference,
  jsonDifference,
  xmlDifference,
  xmlStructure,
} from './targets/difference-targets';
import { httpTarget } from './targets/http-target';
import { parameterBytes, parameterStructure } from './targets/parameter-targets';
import { tokens } from './targets/tokens';

const formats: Readonly<Record<string, Format>> = {
  json: {
    codec: jsonCodec,
    sample: anySample,
    tokens: tokens.json,
    texts: ['{"a":[1,-0.5e2,"\\u00e9",true,null]}'],
    keepsAll: true,
  },
  xml: {
    codec: xmlCodec,
    sample: anySample,
    tokens: tokens.xml,
    texts: [
      '<?xml version="1.0" encoding="iso-8859-1"?><a b="1">x<c/><![CDATA[y]]>&lt;<!-- --></a>',
      Buffer.from('\ufeff<a>é</a>', 'utf16le'),
      Buffer.from('<a>é</a>', 'utf16le').swap16(),
    ],
    keepsAll: true,
  },
  form: {
    codec: formCodec,
    sample: formSample,
    tokens: tokens.form,
    texts: ['a=1&b[c]=2&d[]=%5B&d[]=+'],
    // A list of one, where the schema declares none, is written as a single value.
    keepsAll: false,
  },
  yaml: {
    codec: yamlCodec,
    sample: anySample,
    tokens: tokens.yaml,
    texts: ['%YAML 1.2\n---\na: &x [1, "2"]\nb: *x\nc: |\n  d\n? e\n: 0x1F\n'],
    keepsAll: true,
  },
  lines: {
    codec: jsonLinesCodec,
    sample: listSample,
    tokens: tokens.lines,
    texts: ['1\n\n{"a":2}\r\n'],
    keepsAll: true,
  },
};

export const targets: FuzzTargets = {
  ...Object.fromEntries(
    Object.entries(formats).flatMap(([name, format]) => [
      [`${name}-bytes`, () => bytesTarget(format)],
      [`${name}-structure`, () => structureTarget(format)],
    ]),
  ),
  'parameter-bytes': parameterBytes,
  'parameter-structure': parameterStructure,
  body: bodyTarget,
  http: httpTarget,
  'form-difference': formDifference,
  'json-difference': jsonDifference,
  'xml-difference': xmlDifference,
  'xml-structure-difference': xmlStructure,
};
