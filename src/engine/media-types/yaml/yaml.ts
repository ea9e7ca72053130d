/** YAML as a format of messages: the values that JSON has (YAML 1.2 core schema), read within bounds. */

import { stringify, type Tags } from 'yaml';
import { NumberText } from '../../../base/decimal';
import { MalformedText } from '../../../base/malformed-text';
import { isPlainObject } from '../../../base/plain-object';
import { findForbiddenCharacter, type ReadLimits, tooManyNames } from '../../../base/read-limits';
import { numberTag } from '../../../document/bundle/write-definition';
import { readSource } from '../../../document/source/read-source';
import { loadLimits, UnreadableDocument } from '../../../document/source/source-text';
import type { Codec, Writer } from '../codec/codec';
import { jsonListWriter, jsonWriter, parseSpelledJson } from '../json/json';

/** Refuses values that JSON does not have, or that its reader refuses. */
const requireJsonValue = (value: unknown, limits: ReadLimits): void => {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new MalformedText('The YAML text has a number out of range');
  }
  const forbidden = typeof value === 'string' ? findForbiddenCharacter(value) : undefined;
  if (forbidden !== undefined) throw new MalformedText(`The YAML text is malformed: ${forbidden}`);
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return;
  // Such as the octets of !!binary.
  if (!Array.isArray(value) && !isPlainObject(value)) {
    throw new MalformedText('The YAML text has a value that JSON does not have');
  }
  const names = Array.isArray(value) ? [] : Object.keys(value);
  if (names.length > limits.names) {
    throw new MalformedText(`The YAML text is malformed: ${tooManyNames(limits)}`);
  }
  for (const one of [...names, ...Object.values(value)]) requireJsonValue(one, limits);
};

const parseYaml = (text: string, limits: ReadLimits): unknown => {
  const { depth, nodes, numberOf } = limits;
  // YAML takes ten times as long to read as JSON: some 6,000 values, of five tokens each, a tenth of a second.
  const own = { depth, tokens: 0.3 * nodes, repeatedValues: nodes / 10, numberOf };
  try {
    const { value } = readSource('', text, { ...loadLimits, ...own });
    requireJsonValue(value, limits);
    return value;
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    const { rule, message, line, column } = error.diagnostic;
    throw new MalformedText(
      rule === 'too-large'
        ? 'The YAML text has too many values, levels or repetitions'
        : `The YAML text is malformed at line ${line}, column ${column}: ${message}`,
    );
  }
};

/** The style: texts that YAML 1.1 takes for something else, such as `no`, are quoted for its readers. */
const style = {
  aliasDuplicateObjects: false,
  lineWidth: 0,
  compat: 'yaml-1.1' as const,
  customTags: (tags: Tags): Tags => [...tags, numberTag],
};

/** Turns JSON text into the block style of YAML; returns it as it is, which is YAML too, for a value that has no other form. */
const blockText = (json: string): string => {
  try {
    const value = parseSpelledJson(json);
    // Of a lone text in a block, the package `yaml` loses the space that its first line may begin with.
    const text = stringify(
      value,
      typeof value === 'string' ? { ...style, blockQuote: false } : style,
    );
    // It would be read as a mark of the encoding, and not as a character (YAML 1.2.2 section 5.2).
    return text.startsWith('\uFEFF') ? `${json}\n` : text;
  } catch (error) {
    if (error instanceof MalformedText) return `${json}\n`;
    throw error;
  }
};

/** The codec of application/yaml and every `+yaml` type (RFC 9512), for what is not declared as a text. */
export const yamlCodec: Codec = {
  name: 'yaml',
  mediaTypes: ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml', '+yaml'],
  // With the schema of a text, the text itself is meant.
  carries: ({ type }) => type !== 'string',
  reader: (_shape, _direction, limits) => (text) => parseYaml(text, limits),
  writer(shape, direction): Writer {
    const write = jsonWriter(shape, direction);
    return (value) => blockText(write(value));
  },
  listWriter(shape, direction) {
    const list = jsonListWriter(shape, direction);
    if (list === undefined) return undefined;
    const item: Writer = (value) => {
      const json = list.item(value);
      const text = blockText(`[${json}]`);
      return text.startsWith('[') ? `- ${json}\n` : text;
    };
    return { empty: '[]\n', open: '', separator: '', close: '', item };
  },
};
