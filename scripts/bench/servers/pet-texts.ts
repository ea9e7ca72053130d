/** Pets as XML and forms: templates to write, fast-xml-parser to read. */

import { XMLParser } from 'fast-xml-parser';
import type { Named, Pet } from './checks';

const needsEscape = /[&<>]/;

const escaped = (text: string): string =>
  needsEscape.test(text)
    ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    : text;

const idElement = (id: number | undefined): string => (id === undefined ? '' : `<id>${id}</id>`);

const named = (element: string, { id, name }: Named): string => {
  const text = name === undefined ? '' : `<name>${escaped(name)}</name>`;
  return `<${element}>${idElement(id)}${text}</${element}>`;
};

/** Writes the pet as an XML document. */
export const petXml = (pet: Pet): string => {
  let xml = `<?xml version="1.0" encoding="UTF-8"?>\n<pet>${idElement(pet.id)}<name>${escaped(pet.name)}</name>`;
  if (pet.category !== undefined) xml += named('category', pet.category);
  xml += '<photoUrls>';
  for (const url of pet.photoUrls) xml += `<photoUrl>${escaped(url)}</photoUrl>`;
  xml += '</photoUrls>';
  if (pet.tags !== undefined) {
    xml += '<tags>';
    for (const tag of pet.tags) xml += named('tag', tag);
    xml += '</tags>';
  }
  if (pet.status !== undefined) xml += `<status>${escaped(pet.status)}</status>`;
  return `${xml}</pet>`;
};

const parser = new XMLParser({
  parseTagValue: false,
  ignoreDeclaration: true,
  isArray: (name) => name === 'photoUrl' || name === 'tag',
});

const number = (text: unknown): unknown =>
  typeof text === 'string' && /^-?\d+$/.test(text) ? Number(text) : text;

const readNamed = (value: Record<string, unknown>): unknown => ({
  ...value,
  ...(value['id'] === undefined ? {} : { id: number(value['id']) }),
});

/** Reads an XML document for the check of pets. Throws where it is malformed. */
export const readPetXml = (text: string): unknown => {
  const { pet } = parser.parse(text, true);
  if (typeof pet !== 'object') return undefined;
  const { id, name, category, photoUrls, tags, status } = pet;
  return {
    id: number(id),
    name,
    status,
    category: category === undefined ? undefined : readNamed(category),
    photoUrls: photoUrls === '' ? [] : photoUrls?.photoUrl,
    tags: tags === undefined ? undefined : (tags.tag ?? []).map(readNamed),
  };
};

/** Reads a form for the check of pets: arrays repeat their key, objects are JSON text. */
export const readPetForm = (text: string): unknown => {
  const form = new URLSearchParams(text);
  const one = (name: string): string | undefined => form.get(name) ?? undefined;
  const category = one('category');
  return {
    id: number(one('id')),
    name: one('name'),
    status: one('status'),
    category: category === undefined ? undefined : JSON.parse(category),
    photoUrls: form.getAll('photoUrls'),
    tags: form.has('tags') ? form.getAll('tags').map((tag) => JSON.parse(tag)) : undefined,
  };
};
