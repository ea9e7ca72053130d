/** Serves the document itself, as YAML and as JSON. */

import type { HttpResponse } from '../http/send';
import { isPlainObject } from '../lang/plain-object';
import { writeJson } from '../media-types/json/json-writer';
import type { ApiDocument } from './document';
import { numberText } from './source/exact-numbers';

/** What answers a request for the document; undefined where it asks for something else. */
export type DocumentResponses = (method: string, path: string) => HttpResponse | undefined;

// The description of a service is no secret: pages of every origin may read it (Fetch Standard, CORS protocol).
const answer = (mediaType: string, body: string): HttpResponse => ({
  status: 200,
  headers: { 'Content-Type': mediaType, 'Access-Control-Allow-Origin': '*' },
  body,
});

/** A definition as JSON; its numbers keep the digits that they were written with. */
const definitionText = (value: unknown): string => {
  const member = (holder: object, key: string, item: unknown): string =>
    numberText(holder, key) ?? definitionText(item);
  if (Array.isArray(value)) {
    return `[${value.map((item, index) => member(value, String(index), item)).join(',')}]`;
  }
  if (!isPlainObject(value)) return writeJson(value);
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${writeJson(key)}:${member(value, key, item)}`);
  return `{${members.join(',')}}`;
};

/** `GET /openapi.json` and `GET /openapi.yaml` (RFC 9512), and the same by HEAD. */
export const documentResponses = (document: ApiDocument): DocumentResponses => {
  const answers = new Map([
    ['/openapi.json', answer('application/json', definitionText(document.definition))],
    ['/openapi.yaml', answer('application/yaml', document.text)],
  ]);
  return (method, path) => {
    // To look a path up takes longer than to tell it from these by how it begins.
    if (!path.startsWith('/openapi.')) return undefined;
    return method === 'GET' || method === 'HEAD' ? answers.get(path) : undefined;
  };
};
