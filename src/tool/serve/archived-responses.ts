/** Responses of an HTTP archive: requests that are in it are answered as they were, without a look at the document. */

import { type IncomingHttpHeaders, validateHeaderName, validateHeaderValue } from 'node:http';
import { groupBy } from '../../base/group-by';
import { parseJsonStrictly } from '../../base/json/json-parser';
import { parseMediaType } from '../../base/media-type';
import { memoize } from '../../base/memoize';
import { attempt } from '../../base/recover';
import { normalPath } from '../../base/text/normal-path';
import type { ApiDocument } from '../../engine';
import { decodeContent } from '../../http/content-coding';
import type { Exchange } from '../../http/exchange';
import { bodyMemory, readBytes, splitTarget, targetBelow } from '../../http/request';
import { type HttpResponse, mockHeader } from '../../http/send';
import { headerOf } from '../../requests/http-client';
import { valueKey } from '../../schema/validation/checks/equality-checks';
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
  return Object.fromEntries(fields);
};

/** Makes the text of a body that equal values share: JSON without the order of members, forms without that of names and boundaries. */
const valueText = async (bytes: Buffer, type: string): Promise<string> => {
  if (/^[^;]*[/+]json\b/i.test(type)) return valueKey(parseJsonStrictly(String(bytes)));
  const fields = [...(await new Response(bytes, { headers: { 'Content-Type': type } }).formData())];
  fields.sort(([one], [other]) => Number(one > other) - Number(one < other));
  const texts = fields.map(async ([name, field]) => {
    if (typeof field === 'string') return JSON.stringify([name, field]);
    const octets = Buffer.from(await field.arrayBuffer()).toString('latin1');
    return JSON.stringify([name, field.name, field.type, octets]);
  });
  return String(await Promise.all(texts));
};

/** Makes what a body is compared by: its media type, and its value; that is its octets where it is of no such type. */
const contentOf = async (body: Uint8Array = Buffer.of(), contentType = '') => {
  const bytes = Buffer.from(body);
  const type = bytes.length === 0 ? '' : (parseMediaType(contentType)?.essence ?? '');
  const value = await valueText(bytes, contentType).catch(() => bytes.toString('latin1'));
  return { type, value };
};

const recordedContent = memoize(async ({ request }: ArchiveEntry) => {
  const body = Buffer.from(request.body ?? []);
  const coding = headerOf(request, 'content-encoding');
  // Browsers may have decoded it.
  const plain = await decodeContent(body, coding, longestBody).catch(() => body);
  return contentOf(plain, headerOf(request, 'content-type'));
});

/** Finds the first response to an equal body; else to one of its media type; else any. Of these the same Accept goes before. */
const findResponse = async (
  found: readonly { readonly entry: ArchiveEntry }[],
  body: Uint8Array,
  { 'content-type': contentType, accept }: IncomingHttpHeaders,
) => {
  const asked = await contentOf(body, contentType);
  const ranks = found.map(async ({ entry }) => {
    const { type, value } = await recordedContent(entry);
    const isEqual = type === asked.type && value === asked.value;
    const isAccepted = headerOf(entry.request, 'accept') === accept;
    const rank = Number(isEqual) * 4 + Number(type === asked.type) * 2 + Number(isAccepted);
    return { response: entry.response, isEqual, rank };
  });
  return (await Promise.all(ranks)).reduce((best, one) => (one.rank > best.rank ? one : best));
};

/**
 * Makes what answers those exchanges with a document's service whose requests an archive has: with the first response that was
 * recorded for the request, or for it with another body, which the header says. It returns undefined for others, and leaves them as they are.
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
  const recorded = entries.flatMap((entry) => {
    const { method, url } = entry.request;
    const { status, body } = entry.response;
    const isWhole = URL.canParse(url) && body !== undefined;
    if (!isWhole || status < 200 || status > 599) return [];
    const { pathname, search } = new URL(url);
    const target = targetBelow(document.basePath, pathname + search);
    return target === undefined ? [] : [{ entry, key: keyOf(method, target) }];
  });
  const byRequest = groupBy(recorded, ({ key }) => key);
  const memory = bodyMemory(64 * 1024 ** 2);

  const send = async (
    exchange: Exchange,
    found: readonly (typeof recorded)[number][],
  ): Promise<void> => {
    const { request } = exchange;
    try {
      const bytes = await readBytes(request, { limit: longestBody, memory });
      const { response, isEqual } = await findResponse(found, bytes, request.headers);
      const { status, body = Buffer.of() } = response;
      const mark = isEqual ? 'recorded' : 'recorded; body=another';
      const headers = { ...headersOf(response), [mockHeader]: mark };
      await exchange.send({ status, headers, body: body.length > 0 ? body : undefined });
    } finally {
      memory.release(request);
    }
  };
  const answer = (exchange: Exchange): Promise<void> | undefined => {
    const { method, target, headers } = exchange.request;
    const found = byRequest.get(keyOf(method, target));
    // What a caller prefers is asked of mocks.
    if (found === undefined || headers['prefer'] !== undefined) return undefined;
    return send(exchange, found);
  };
  return { count: recorded.length, answer };
};
