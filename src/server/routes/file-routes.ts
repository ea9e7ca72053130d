/** Gives stored files back, byte for byte, in a way that no browser can be made to run them. */

import express, { type Router } from 'express';
import { HttpError, send } from '../../engine';
import type { FindFile } from '../../storage/collections/attached-files';

// Raster formats that browsers show and that cannot carry scripts.
const inlineTypes = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
]);

/** `GET /files/ID`; ids are unguessable, and what stands under one never changes. */
export const fileRoutes = (findFile: FindFile): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/files/:id', async (request, response) => {
    const file = await findFile(request.params.id);
    if (file === undefined) throw new HttpError(404, 'route-not-found', 'There is no such file');
    const inline = inlineTypes.has(file.mediaType);
    send(request, response, {
      status: 200,
      headers: {
        'Content-Type': inline ? file.mediaType : 'application/octet-stream',
        'Content-Disposition': inline ? 'inline' : 'attachment',
        // Browsers show an image in a page of their own making, with styles of its own.
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'Cache-Control': 'private, max-age=31536000, immutable',
        // A cached copy that one origin may read must not be given to another, nor one that none may read to any.
        Vary: 'Origin',
      },
      body: file.bytes,
    });
  });
  return router;
};
