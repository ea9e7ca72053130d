/** Writes pairs of query strings, cookies and forms by style, and percent-encodes values (OAS 3.2.0, Style Values and Appendix E; RFC 6570). */

import { writeJson } from '../base/json/write-json';
import { pointerTo } from '../base/json-pointer';
import { MalformedText } from '../base/malformed-text';
import { isPlainObject } from '../base/plain-object';
import { recover } from '../base/recover';
import type { Encoding, Parameter, ParameterLocation } from '../model/operation';
import { writeScalar } from './scalars';

/** Tells whether a value has members or items. */
export const isStructured = (value: unknown): boolean =>
  isPlainObject(value) || Array.isArray(value);

/** Gives the text of a value; what has structure is JSON text. */
export const valueText = (value: unknown): string =>
  isStructured(value) ? writeJson(value) : writeScalar(value);

/** Percent-encodes a value for every place of a URL; a path would lose steps of dots alone. */
export const encode = (value: unknown): string =>
  encodeURIComponent(valueText(value).toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Writes a name or a value. */
type Encode = (value: unknown) => string;

/** Returns what encodes the values of a parameter; with `allowReserved` it leaves percent-encoded triples and most reserved characters (RFC 6570 section 3.2.3). */
export const encoderOf = ({
  in: location,
  allowReserved,
}: Pick<Parameter, 'in' | 'allowReserved'>): Encode => {
  if (!allowReserved) return encode;
  // Those that mean nothing in the place or in a style there (RFC 3986 section 3; RFC 6265 section 4.1.1).
  const reserved: Partial<Record<ParameterLocation, string>> = {
    path: "!$&'()*+:@",
    query: "!$'()*/:;?@",
    cookie: "!#$&'()*+/:=?@[]",
  };
  const kept = reserved[location] ?? '';
  const keep = (triple: string): string => {
    const character = decodeURIComponent(triple);
    return kept.includes(character) ? character : triple;
  };
  return (value) =>
    encode(value)
      .replaceAll(/%[2-5][0-9A-F]/g, keep)
      .replaceAll(/%25(?=[0-9A-F]{2})/gi, '%');
};

/** Refuses texts that their reader would divide: most styles have no escape for what separates values (OAS 3.2.0, Appendix E). */
export const undivided =
  (write: Encode, ...separators: readonly string[]): Encode =>
  (value) => {
    const text = write(value);
    const found = separators.find((separator) => text.toUpperCase().includes(separator));
    if (found === undefined) return text;
    const [given, shown] = [valueText(value), decodeURIComponent(found)].map(writeJson);
    throw new MalformedText(`must not hold ${given}: ${shown} separates values in this style`);
  };

/** Lists the members of an object that are there. */
const givenMembers = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, member]) => member !== undefined);

/** Writes the members of an object, each as a name and a value. */
export const writeMemberPairs = (value: object, joint: string, write: Encode): string[] =>
  givenMembers(value).map(
    ([key, member]) => `${undivided(write, joint)(key)}${joint}${write(member)}`,
  );

/** Writes in the style `simple`, and what others are made of: `a,b`, `R,100`, exploded `R=100`. */
export const writePlain = (
  value: unknown,
  delimiter: string,
  explode: boolean,
  write: Encode,
): string => {
  const writeOne = undivided(write, delimiter);
  if (Array.isArray(value)) {
    // Its reader would find an empty text, and take it for an item.
    if (value.length === 0) throw new MalformedText('must have an item in this style');
    return value.map(writeOne).join(delimiter);
  }
  if (!isPlainObject(value)) return write(value);
  return writeMemberPairs(value, explode ? '=' : delimiter, writeOne).join(delimiter);
};

const deepPairs = (prefix: string, value: unknown, write: Encode): string[] => {
  if (Array.isArray(value)) return value.map((item) => `${prefix}%5B%5D=${write(item)}`);
  if (!isPlainObject(value)) return [`${prefix}=${write(value)}`];
  return givenMembers(value).flatMap(([key, member]) =>
    deepPairs(`${prefix}%5B${undivided(encode, '%5B', '%5D')(key)}%5D`, member, write),
  );
};

/** Writes the pairs of one parameter, or of one field of a form. */
export const writePairs = (
  {
    name,
    style,
    explode,
    commaSeparated = false,
  }: Pick<Parameter, 'name' | 'style' | 'explode'> & Partial<Parameter>,
  value: unknown,
  write: Encode,
): string[] => {
  const key = style === 'cookie' ? name : encode(name);
  // Such a list is divided when it has been decoded.
  if (commaSeparated && Array.isArray(value)) value.map(undivided(valueText, ','));
  if (style === 'deepObject') return deepPairs(key, value, write);
  const isExploded = explode && (style === 'form' || style === 'cookie');
  if (isExploded && Array.isArray(value)) return value.map((item) => `${key}=${write(item)}`);
  if (isExploded && isPlainObject(value)) return writeMemberPairs(value, '=', write);
  const delimiters: Readonly<Record<string, string>> = {
    spaceDelimited: '%20',
    pipeDelimited: '%7C',
  };
  return [`${key}=${writePlain(value, delimiters[style] ?? ',', false, write)}`];
};

/** Lists the members of an object that a form can carry: null has no text. */
export const membersOf = (value: unknown): [string, unknown][] =>
  isPlainObject(value) ? givenMembers(value).filter(([, member]) => member !== null) : [];

/** Tells whether a field is written by style, and not by content type (OAS 3.0.4, Encoding Object). */
export const isStyled = (encoding: Encoding | undefined): boolean =>
  (encoding?.style ?? encoding?.explode ?? encoding?.allowReserved) !== undefined;

/** Writes the pairs of a field of a form in the style of its Encoding Object, by default one for each item. Errors are placed by its name. */
export const writeField = (
  name: string,
  value: unknown,
  { style = 'form', explode = style === 'form', allowReserved = false }: Partial<Encoding>,
  write: Encode = encoderOf({ in: 'query', allowReserved }),
): string[] => {
  const isKnown = style === 'spaceDelimited' || style === 'pipeDelimited' || style === 'deepObject';
  const pairs = { name, style: isKnown ? style : 'form', explode } as const;
  const work = () => writePairs(pairs, value, write);
  return recover(work, MalformedText, ({ message, path }): never => {
    throw new MalformedText(message, pointerTo('', name) + path);
  });
};
