/** Compares a response with the one that a case expects. */

import { isDeepStrictEqual } from 'node:util';
import { Parser } from 'xml2js';
import { parseJsonStrictly } from '../../src/base/json/json-parser';
import { writeJson } from '../../src/base/json/write-json';
import type { WholeResponse } from '../machine/send-request';
import type { Case } from './cases';

interface XmlName {
  readonly name: string;
  readonly local: string;
  readonly uri: string;
}

/** An element as xml2js gives it with namespaces, and with children in their order. */
interface XmlNode {
  readonly '#name': string;
  readonly _?: string;
  readonly $?: Readonly<Record<string, XmlName & { readonly value: string }>>;
  readonly $ns?: XmlName;
  readonly $$?: readonly XmlNode[];
}

/** Writes what XML means: names with their namespaces, attributes in order of their names, and text; no prefixes. */
const meaningOf = (node: XmlNode): string => {
  if (node['#name'] === '__text__') return node._ ?? '';
  const attributes = Object.values(node.$ ?? {})
    .filter(({ name }) => !/^xmlns(:|$)/.test(name))
    .map(({ local, uri, value }) => `{${uri}}${local}=${writeJson(value)}`);
  const inner = (node.$$ ?? []).map(meaningOf).join('');
  // No text of XML has the character U+0000.
  return `\0{${node.$ns?.uri}}${node.$ns?.local} ${attributes.sort().join(' ')}\0${inner}\0`;
};

const readXml = async (text: string): Promise<string> => {
  const children = { explicitChildren: true, preserveChildrenOrder: true, charsAsChildren: true };
  const options = { ...children, xmlns: true, explicitRoot: false, includeWhiteChars: true };
  return meaningOf(await new Parser(options).parseStringPromise(text));
};

const headerFits = (
  wanted: string | boolean | readonly string[],
  value: string | string[] | undefined,
): boolean => {
  if (typeof wanted === 'boolean') return (value !== undefined) === wanted;
  if (typeof wanted === 'string') return String(value) === wanted;
  // Of Set-Cookie there are lines.
  const items = Array.isArray(value) ? value : String(value).split(/\s*,\s*/);
  return wanted.every((item) => items.includes(item));
};

/** Says what differs in status and headers. */
function* headDifferences({ expected }: Case, response: WholeResponse): Generator<string> {
  // The specification names no status for refusals: 422 will do for 400.
  const statuses = expected.status === 400 ? [400, 422] : [expected.status ?? []].flat();
  if (!statuses.includes(response.status)) yield `the status is ${response.status}`;
  for (const [name, wanted] of Object.entries(expected.headers ?? {})) {
    const value = response.headers[name];
    if (!headerFits(wanted, value)) yield `the header ${name} is ${value}`;
  }
  const type = response.headers['content-type']?.split(';')[0]?.toLowerCase();
  if (![undefined, type].includes(expected.mediaType)) yield `the media type is ${type}`;
}

/** Says what differs in the request that the handler was given; of parameters those are compared that are named. */
function* echoDifferences({ expected }: Case, text: string): Generator<string> {
  const { echo = {}, absent = {} } = expected;
  const given = parseJsonStrictly(text) as Readonly<Record<string, unknown>>;
  const membersOf = (place: string) => (given[place] ?? {}) as Readonly<Record<string, unknown>>;
  for (const [place, wanted] of Object.entries(echo)) {
    const pairs = /^(path|query|header|cookie)$/.test(place)
      ? Object.entries(wanted as object).map(([name, one]) => [membersOf(place)[name], one])
      : [[given[place], wanted]];
    const other = pairs.find(([one, wanted]) => !isDeepStrictEqual(one, wanted));
    if (other !== undefined) yield `the handler was given ${writeJson(other[0])} (${place})`;
  }
  for (const [place, names] of Object.entries(absent)) {
    const there = names.filter((name) => membersOf(place)[name] !== undefined);
    if (there.length > 0) yield `the handler was given ${there} (${place})`;
  }
}

/** Says what differs from what the case expects, nothing where it holds; rejects where the body cannot be read. */
export const judge = async (one: Case, response: WholeResponse): Promise<readonly string[]> => {
  const found = [...headDifferences(one, response)];
  if (found.length > 0) return found;
  const given = response.body.toString();
  const { echo, absent, json, text, xml } = one.expected;
  if (echo ?? absent) return [...echoDifferences(one, given)];
  const isSame =
    (text === undefined || given === text) &&
    (json === undefined || isDeepStrictEqual(parseJsonStrictly(given), json)) &&
    (xml === undefined || (await readXml(given)) === (await readXml(xml)));
  return isSame ? [] : [`the body is ${given}`];
};
