/** Mocks of operations that the upstream does not have yet: they answer the requests that it has refused. */

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type ApiDocument, openApiService, schemaContext } from '../../engine';
import { bodyAnnounced, bodyMemory, targetBelow } from '../../http/request';
import { type HttpResponse, mockHeader } from '../../http/send';
import { mockCredentials, openMocks } from '../../mock';
import { checkedBytes, type Findings, keptResponse, type RequestVerdict } from './check-messages';
import type { BodyCopy } from './pass-on';

/**
 * Makes the function that answers a request as a server without handlers does.
 * @param log gets faults of the document
 */
export const compileMockAnswer = (document: ApiDocument, log: (message: string) => void) => {
  const tools = schemaContext(document);
  const service = openApiService(document, {
    ...openMocks(document, new Map(), tools),
    securityHandlers: mockCredentials(document),
    tools,
    maxBodyBytes: checkedBytes.upload,
    bodies: bodyMemory(checkedBytes.all),
    log: { error: (_fields, message) => log(message) },
  });
  return async (
    { method = 'GET', url = '/', headers, socket }: IncomingMessage,
    body: Uint8Array = Buffer.alloc(0),
  ): Promise<HttpResponse | undefined> => {
    const { response } = await keptResponse(service, {
      method,
      target: targetBelow(document.basePath, url) ?? url,
      headers,
      body: Readable.from(body.length > 0 ? [body] : []),
      client: () => ({ address: socket.remoteAddress ?? '', secure: false }),
    });
    return response && { ...response, headers: { ...response.headers, [mockHeader]: 'true' } };
  };
};

/** Tells whether a response may say that the upstream does not have the operation. */
export const isRefusal = ({ statusCode }: IncomingMessage): boolean =>
  statusCode === 501 || statusCode === 404;

/** Waits for the end of a body, which may come later than the answer; not where it may never come. */
export const bodyEnd = async (request: IncomingMessage): Promise<void> => {
  if (request.headers.expect !== undefined) return;
  request.resume();
  await finished(request, { writable: false });
};

/**
 * Tells whether a mock is to answer, since the upstream does not have the operation: it says so (501), or its 404 is none that the
 * document describes.
 */
export const isMissing = (
  passed: {
    readonly request: IncomingMessage;
    readonly verdict: RequestVerdict;
    readonly copies: readonly BodyCopy[];
    readonly ofResponse: Findings;
  },
  answer: IncomingMessage,
): boolean => {
  const { verdict, copies, request, ofResponse } = passed;
  const [sent] = copies;
  const isWhole = sent?.isKept === true && (request.readableEnded || !bodyAnnounced(request));
  const isUnknown = answer.statusCode === 501 || ofResponse.violations.length > 0;
  return verdict.operation !== undefined && isWhole && isRefusal(answer) && isUnknown;
};
