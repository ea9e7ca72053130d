/** Whether a response is the one that a case expects. */

import { isDeepStrictEqual } from 'node:util';
import { Parser } from 'xml2js';
import { parseJsonStrictly } from '../../src/base/json/json-parser';
import { writeJson } from '../../src/base/json/write-json';
import type { Case, Expected, Response } from './cases';

/** An element as xml2js gives it with namespaces and children in their order. */
interface XmlNode {
  readonly '#name': string;
  readonly _?: string;
  readonly $?: Readonly<Record<string, { name: string; local: string; uri: string; value: string }>>;
  readonly $ns?: { readonly local: string; readonly uri: string };
  readonly $$?: readonly XmlNode[];
}

/** Writes what XML means: names with their namespaces, attributes in order of their names, and text; no prefixes, no declaration. */
const meaningOf = (node: XmlNode): string => {
  if (node['#name'] === '__text__') return writeJson(node._);
  const attributes = Object.values(node.$ ?? {})
    .filter(({ name }) => !/^xmlns(:|$)/.test(name))
    .map(({ local, uri, value }) => `{${uri}}${local}=${writeJson(value)}`);
  const inner = (node.$$ ?? []).map(meaningOf).join(' ');
  return `({${node.$ns?.uri}}${node.$ns?.local} ${attributes.sort().join(' ')} ${inner})`;
};

const parserOptions = {
  xmlns: true,
  explicitRoot: false,
  explicitChildren: true,
  preserveChildrenOrder: true,
  charsAsChildren: true,
  includeWhiteChars: true,
};

const readXml = async (text: string): Promise<string> =>
  meaningOf(await new Parser(parserOptions).parseStringPromise(text));

/** 400 stands for 422, too: the specification names neither. */
const statusesOf = ({ status = [] }: Expected): readonly number[] =>
  status === 400 ? [400, 422] : [status].flat();

const headerFits = (
  wanted: string | boolean | readonly string[],
  value: string | string[] | undefined,
): boolean => {
  if (typeof wanted === 'boolean') return (value !== undefined) === wanted;
  if (typeof wanted === 'string') return String(value) === wanted;
  const items = String(value).split(',');
  return wanted.every((item) => items.some((one) => one.trim() === item));
};

/** What differs, one sentence each. */
function* differences({ expected }: Case, response: Response): Generator<string> {
  const { headers = {}, mediaType, echo = {}, absent = {}, json, text } = expected;
  const statuses = statusesOf(expected);
  if (!statuses.includes(response.status))
    yield `the status is ${response.status}, not ${statuses[0]}`;
  for (const [name, wanted] of Object.entries(headers)) {
    const value = response.headers[name];
    if (!headerFits(wanted, value)) yield `the header ${name} is ${value}, not ${wanted}`;
  }
  const type = response.headers['content-type']?.split(';')[0]?.toLowerCase();
  if (mediaType !== undefined && type !== mediaType) yield `the media type is ${type}`;
  if (text !== undefined && response.text !== text) yield `the body is ${response.text}`;
  const isRead = json !== undefined || 'echo' in expected || 'absent' in expected;
  const value = isRead && (yield* readJson(response.text));
  if (json !== undefined && !isDeepStrictEqual(value, json)) yield `the body is ${response.text}`;
  const given = typeof value === 'object' ? (value as Record<string, unknown>) : {};
  yield* echoDifferences(given ?? {}, echo, absent);
}

function* readJson(text: string): Generator<string, unknown> {
  try {
    return parseJsonStrictly(text);
  } catch (error) {
    yield `the body is no JSON (${error instanceof Error ? error.message : error})`;
    return undefined;
  }
}

function* echoDifferences(
  given: Readonly<Record<string, unknown>>,
  echo: NonNullable<Expected['echo']>,
  absent: NonNullable<Expected['absent']>,
): Generator<string> {
  const membersOf = (place: string) => (given[place] ?? {}) as Record<string, unknown>;
  for (const [place, wanted] of Object.entries(echo)) {
    const isMap = /^(path|query|header|cookie)$/.test(place);
    const pairs = isMap
      ? Object.entries(wanted as object).map(([name, value]) => [membersOf(place)[name], value])
      : [[given[place], wanted]];
    for (const [value, other] of pairs) {
      if (!isDeepStrictEqual(value, other))
        yield `the handler was given ${writeJson(value)} (${place}), not ${writeJson(other)}`;
    }
  }
  for (const [place, names] of Object.entries(absent)) {
    const there = names.filter((name) => membersOf(place)[name] !== undefined);
    if (there.length > 0) yield `the handler was given ${there} (${place})`;
  }
}

/** Says what differs from what the case expects; nothing where it holds. */
export const judge = async (one: Case, response: Response): Promise<readonly string[]> => {
  const found = [...differences(one, response)];
  const { xml } = one.expected;
  if (xml === undefined) return found;
  const isSame = await readXml(response.text).then(
    async (meaning) => meaning === (await readXml(xml)),
    () => false,
  );
  return isSame ? found : [...found, `the body is ${response.text}`];
};
