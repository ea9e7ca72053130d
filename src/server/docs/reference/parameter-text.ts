/** Writes an example of a parameter as it stands in a request (OAS 3.0.3, Style Values). */

import { type Parameter, type References, writeJson } from '../../../engine';
import { illustrate } from './illustrate';

/** What is sent: a name and a text, both as the request carries them. */
export type SentParameter = readonly [name: string, text: string];

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
