/** Responses of an HTTP archive: requests that are in it are answered as they were, without a look at the document. */

import { type IncomingHttpHeaders, validateHeaderName, validateHeaderValue } from 'node:http';
import { groupBy } from '../../base/group-by';
import { attempt } from '../../base/recover';
import { normalPath } from '../../base/text/normal-path';
import type { ApiDocument } from '../../engine';
import type { Exchange } from '../../http/exchange';
import { bodyMemory, readBytes, splitTarget, targetBelow } from '../../http/request';
import { type HttpResponse, mockHeader } from '../../http/send';
import { headerOf } from '../../requests/http-client';
import { type ArchiveEntry, credentialNames } from '../command/har';

/** Bytes of a request's body at most. */
const longestBody = 10 * 1024 ** 2;

// Those of a connection, of a form of the body that archives do not keep, and of the origin that the archive was recorded at.
const ofTheRecording =
  /^(?::.*|access-control-.*|age|alt-svc|connection|content-(?:encoding|length)|date|keep-alive|proxy-.*|strict-transport-security|trailer|transfer-encoding|upgrade|via)$/;

const headersOf = ({ headers }: ArchiveEntry['response']): HttpResponse['headers'] => {
  const kept = new Map<string, string[]>();
  for (const [name, lines] of headers) {
    const key = name.toLowerCase();
    // Browsers write the fields of one name as lines of one.
    for (const line of lines.split('\n')) {
      const isField = attempt(() => [validateHeaderName(name), validateHeaderValue(name, line)]);
      if (isField === undefined || ofTheRecording.test(key)) continue;
      kept.set(key, [...(kept.get(key) ?? []), line]);
    }
  }
  const fields = [...kept].map(([name, lines]) => [name, lines.length === 1 ? lines[0] : lines]);
  return { ...Object.fromEntries(fields), [mockHeader]: 'recorded' };
};

const answerable = ({ request: { url }, response: { status, body } }: ArchiveEntry): boolean =>
  URL.canParse(url) && body !== undefined && status >= 200 && status <= 599;

/** An entry, and what its request is found by. */
interface Recorded {
  readonly entry: ArchiveEntry;
  readonly key: string;
}

/** Returns those that fit; all where none does. */
const preferring = (found: readonly Recorded[], fits: (entry: ArchiveEntry) => boolean) => {
  const fitting = found.filter(({ entry }) => fits(entry));
  return fitting.length > 0 ? fitting : found;
};

/** Returns those whose request is most like it. What differs in nothing but the boundary of its parts must not lose the response. */
const mostLike = (found: readonly Recorded[], { accept }: IncomingHttpHeaders, body: Uint8Array) =>
  preferring(
    preferring(found, ({ request }) => Buffer.from(request.body ?? []).equals(body)),
    ({ request }) => headerOf(request, 'accept') === accept,
  );

/**
 * Makes what answers those exchanges with a document's service whose requests an archive has: with the responses in the order of the
 * archive, and the last one again. It returns undefined for others, and leaves them as they are.
 */
export const archivedResponses = (entries: readonly ArchiveEntry[], document: ApiDocument) => {
  const secrets = credentialNames(document).query;
  // The order of a query decides nothing, nor do credentials, which are not recorded.
  const keyOf = (method: string, target: string): string => {
    const { path, query } = splitTarget(target);
    const pairs = new URLSearchParams(query);
    for (const name of secrets) pairs.delete(name);
    pairs.sort();
    return `${method} ${normalPath(path)}?${pairs}`;
  };
  const recorded = entries.filter(answerable).flatMap((entry) => {
    const { method, url } = entry.request;
    const { pathname, search } = new URL(url);
    const target = targetBelow(document.basePath, pathname + search);
    return target === undefined ? [] : [{ entry, key: keyOf(method, target) }];
  });
  const byRequest = groupBy(recorded, ({ key }) => key);
  const memory = bodyMemory(64 * 1024 ** 2);
  const taken = new Set<Recorded>();

  const send = async (exchange: Exchange, found: readonly Recorded[]): Promise<void> => {
    const bytes = await readBytes(exchange.request, { limit: longestBody, memory });
    const fitting = mostLike(found, exchange.request.headers, bytes);
    const next = fitting.find((each) => !taken.has(each)) ?? fitting.at(-1);
    if (next === undefined) throw new Error('The archive has no response');
    taken.add(next);
    const { status, body = Buffer.of() } = next.entry.response;
    const content = body.length > 0 ? body : undefined;
    await exchange.send({ status, headers: headersOf(next.entry.response), body: content });
  };
  const answer = (exchange: Exchange): Promise<void> | undefined => {
    const { method, target, headers } = exchange.request;
    // It resets mocks as well.
    if (method === 'DELETE' && target === '/__state') taken.clear();
    const found = byRequest.get(keyOf(method, target));
    // What a caller prefers is asked of mocks.
    return found && headers['prefer'] === undefined ? send(exchange, found) : undefined;
  };
  return { count: recorded.length, answer };
};
