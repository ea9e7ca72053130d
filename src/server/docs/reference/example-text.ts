/** Lays examples out for readers: JSON and XML indented, texts quoted for a shell. */

import {
  contentCodec,
  type Parameter,
  type References,
  type SchemaContext,
  typedValue,
  writeJson,
} from '../../../engine';
import { illustrate } from './illustrate';
import type { WriteExample } from './reference';

type Entries = readonly (readonly [string, unknown])[];

const block = (open: string, lines: readonly string[], close: string, indent: string): string =>
  lines.length === 0
    ? open + close
    : `${open}\n${lines.map((line) => `${indent}  ${line}`).join(',\n')}\n${indent}${close}`;

/** A value as indented JSON; a bigint keeps its digits. */
export const prettyJson = (value: unknown, indent = ''): string => {
  const inner = `${indent}  `;
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) {
    return block(
      '[',
      value.map((item) => prettyJson(item, inner)),
      ']',
      indent,
    );
  }
  if (typeof value === 'object' && value !== null) {
    const entries: Entries = Object.entries(value).filter(([, item]) => item !== undefined);
    const lines = entries.map(
      ([key, item]) => `${JSON.stringify(key)}: ${prettyJson(item, inner)}`,
    );
    return block('{', lines, '}', indent);
  }
  return JSON.stringify(value) ?? 'null';
};

/** XML as our writer makes it, an element a line; its texts hold no bare `<`. */
export const prettyXml = (text: string): string => {
  let depth = 0;
  return text
    .replaceAll(/>\s*</g, '>\n<')
    .split('\n')
    .map((line) => {
      if (line.startsWith('</')) depth -= 1;
      const indented = '  '.repeat(Math.max(0, depth)) + line;
      if (/^<[^?!/][^>]*[^/]>$|^<[^?!/]>$/.test(line)) depth += 1;
      return indented;
    })
    .join('\n');
};

/** One word of a POSIX shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What is sent: a name and a text, both as the request carries them. */
type SentParameter = readonly [name: string, text: string];

const text = (value: unknown): string =>
  typeof value === 'object' && value !== null ? writeJson(value) : String(value);

const encoded = (value: unknown): string => encodeURIComponent(text(value));

const delimiters: Readonly<Record<string, string>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The value that the example gives; undefined where nothing needs to be sent. */
export const exampleOfParameter = (parameter: Parameter, references: References): unknown => {
  const declared = parameter.examples?.[0]?.value;
  if (declared !== undefined || !parameter.required) return declared;
  return illustrate(parameter.schema, references) ?? 'text';
};

/** Fields of a query, encoded. */
export const queryFields = (parameter: Parameter, value: unknown): readonly SentParameter[] => {
  const { name, style, explode, mediaType } = parameter;
  const key = encodeURIComponent(name);
  if (mediaType !== undefined) return [[key, encodeURIComponent(writeJson(value))]];
  if (Array.isArray(value)) {
    return explode
      ? value.map((item) => [key, encoded(item)])
      : [[key, value.map(encoded).join(delimiters[style] ?? ',')]];
  }
  if (!isObject(value)) return [[key, encoded(value)]];
  const members = Object.entries(value);
  if (style === 'deepObject') {
    return members.map(([member, item]) => [`${key}%5B${encoded(member)}%5D`, encoded(item)]);
  }
  if (explode) return members.map(([member, item]) => [encoded(member), encoded(item)]);
  return [
    [
      key,
      members
        .flat()
        .map(encoded)
        .join(delimiters[style] ?? ','),
    ],
  ];
};

const listed = (value: unknown, explode: boolean, write: (item: unknown) => string): string => {
  if (Array.isArray(value)) return value.map(write).join(',');
  if (!isObject(value)) return write(value);
  return Object.entries(value)
    .map(([member, item]) => `${write(member)}${explode ? '=' : ','}${write(item)}`)
    .join(',');
};

/** What stands in a path for `{NAME}`. */
export const pathText = ({ name, style, explode }: Parameter, value: unknown): string => {
  const list = listed(value, explode, encoded);
  if (style === 'matrix') return `;${encodeURIComponent(name)}=${list}`;
  return style === 'label' ? `.${list}` : list;
};

/** The value of a header or cookie. */
export const plainText = ({ explode }: Parameter, value: unknown): string =>
  listed(value, explode, text);

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Makes the writer. A text stands for itself where its schema is no string. */
export const exampleTexts =
  ({ shapeOf }: SchemaContext): WriteExample =>
  ({ key, schema = {} }, value) => {
    try {
      const shape = shapeOf(schema);
      const codec = contentCodec(key, shape);
      if (codec === undefined || (shape.type !== 'string' && textOf(value))) return textOf(value);
      return codec.writer(shape, 'storage')(typedValue(schema, shapeOf)(value));
    } catch {
      // An example that does not fit its schema has no text; the check of the document reports it.
      return undefined;
    }
  };
