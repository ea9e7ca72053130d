/** Layers around a request: the way of a request is a list of them, which `app.ts` names in order. */

import type { RequestListener } from 'node:http';

/** Makes a listener that answers a request, or hands it to the next listener. */
export type Layer = (next: RequestListener) => RequestListener;

/** Puts the layers around a listener, the first outermost. */
export const layered = (layers: readonly Layer[], last: RequestListener): RequestListener =>
  layers.reduceRight((next, layer) => layer(next), last);
