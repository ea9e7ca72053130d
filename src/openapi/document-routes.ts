/** Serves the document itself, as YAML and as JSON. */

import express, { type RequestHandler, type Router } from 'express';
import { jsonCodec } from '../codecs/json';
import type { Shape } from '../codecs/shape';
import { send } from '../http/send';
import type { ApiDocument } from './document';

const serve =
  (mediaType: string, text: string): RequestHandler =>
  (request, response) => {
    send(request, response, { status: 200, headers: { 'Content-Type': mediaType }, body: text });
  };

/** `GET /openapi.json` and `GET /openapi.yaml` (RFC 9512). */
export const documentRoutes = (document: ApiDocument, anything: Shape): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  // Integers beyond 2^53 are bigint here, which JSON.stringify does not know.
  const json = jsonCodec.writer(anything, 'whole')(document.definition);
  router.get('/openapi.json', serve('application/json', json));
  router.get('/openapi.yaml', serve('application/yaml', document.text));
  return router;
};
