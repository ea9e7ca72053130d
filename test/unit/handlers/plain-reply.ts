/** A handler's reply as its caller reads it: kept texts and pages become values. */

import { isKept, type Kept } from '../../../src/engine/media-types/codec/kept';
import { isListing } from '../../../src/engine/media-types/codec/listing';
import { readPages } from '../../support/kept-values';

interface Reply {
  readonly status: number;
  readonly body?: unknown;
}

const plainBody = async (body: unknown): Promise<unknown> => {
  if (isKept(body)) return body.read();
  // Storage gives pages of kept values, and of nothing else.
  if (isListing(body)) return readPages(body as AsyncIterable<readonly Kept<unknown>[]>);
  return body;
};

/** The reply with its body as a value. */
export const plainReply = async (reply: Reply | Promise<Reply>): Promise<Reply> => {
  const { body, ...rest } = await reply;
  return body === undefined ? rest : { ...rest, body: await plainBody(body) };
};
