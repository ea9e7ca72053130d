/** Checks of responses: the same value in any order of properties and any layout of XML. */

import { isDeepStrictEqual } from 'node:util';
import { parseStringPromise } from 'xml2js';
import type { HttpResponse } from '../load/request';
import type { BenchPet } from '../pets';

const short = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 300);

/** Throws where the two differ. */
export const expectSame = (given: unknown, wanted: unknown): void => {
  if (!isDeepStrictEqual(given, wanted)) throw new Error(`${short(given)} is not ${short(wanted)}`);
};

/** Reads the value of a JSON response. */
export const jsonOf = ({ mediaType, text }: HttpResponse): unknown => {
  expectSame(mediaType, 'application/json');
  return JSON.parse(text);
};

interface XmlNode {
  readonly [name: string]: readonly (string | XmlNode)[] | undefined;
}

const textIn = (node: XmlNode, name: string): string => String(node[name]?.[0]);
const named = (node: XmlNode) => ({ id: Number(textIn(node, 'id')), name: textIn(node, 'name') });
const nodesIn = (node: XmlNode, name: string): XmlNode[] =>
  (node[name] ?? []).filter((child) => typeof child !== 'string');

/** Reads the pet of an XML response. */
export const petOfXml = async ({ mediaType, text }: HttpResponse): Promise<BenchPet> => {
  expectSame(mediaType, 'application/xml');
  const { pet }: { pet: XmlNode } = await parseStringPromise(text);
  const [category = {}] = nodesIn(pet, 'category');
  const [photoUrls = {}] = nodesIn(pet, 'photoUrls');
  const [tags = {}] = nodesIn(pet, 'tags');
  return {
    id: Number(textIn(pet, 'id')),
    name: textIn(pet, 'name'),
    category: named(category),
    photoUrls: (photoUrls['photoUrl'] ?? []).map(String),
    tags: nodesIn(tags, 'tag').map(named),
    status: textIn(pet, 'status') as BenchPet['status'],
  };
};

const element = (name: string, inner: string | number): string => `<${name}>${inner}</${name}>`;
const namedXml = ({ id, name }: { id: number; name: string }): string =>
  element('id', id) + element('name', name);

/** Writes the pet as the XML body of a request. */
export const petXml = ({ id, name, category, photoUrls, tags, status }: BenchPet): string =>
  element(
    'pet',
    [
      id === undefined ? '' : element('id', id),
      element('name', name),
      element('category', namedXml(category)),
      element('photoUrls', photoUrls.map((url) => element('photoUrl', url)).join('')),
      element('tags', tags.map((tag) => element('tag', namedXml(tag))).join('')),
      element('status', status),
    ].join(''),
  );
