/** Serves the document itself, as YAML and as JSON. */

import type { HttpResponse } from '../http/send';
import { jsonCodec } from '../media-types/json/json';
import type { Shape } from '../schema/shape';
import type { ApiDocument } from './document';

/** What answers a request for the document; undefined where it asks for something else. */
type DocumentResponses = (method: string, path: string) => HttpResponse | undefined;

// The description of a service is no secret: pages of every origin may read it (Fetch Standard, CORS protocol).
const answer = (mediaType: string, body: string): HttpResponse => ({
  status: 200,
  headers: { 'Content-Type': mediaType, 'Access-Control-Allow-Origin': '*' },
  body,
});

/** `GET /openapi.json` and `GET /openapi.yaml` (RFC 9512), and the same by HEAD. */
export const documentResponses = (document: ApiDocument, anything: Shape): DocumentResponses => {
  // Integers beyond 2^53 are bigint here, which JSON.stringify does not know.
  const json = jsonCodec.writer(anything, 'storage')(document.definition);
  const answers = new Map([
    ['/openapi.json', answer('application/json', json)],
    ['/openapi.yaml', answer('application/yaml', document.text)],
  ]);
  return (method, path) => {
    // To look a path up takes longer than to tell it from these by how it begins.
    if (!path.startsWith('/openapi.')) return undefined;
    return method === 'GET' || method === 'HEAD' ? answers.get(path) : undefined;
  };
};
