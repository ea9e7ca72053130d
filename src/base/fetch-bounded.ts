/** Fetches from other servers within bounds of time and size, and perhaps of address. */

import { lookup as lookUp } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';

/** The request, and the bounds of its response. */
export interface BoundedFetch {
  /** The Accept header. */
  readonly accept: string;
  /** The time to the last byte. */
  readonly milliseconds: number;
  /** Bytes of the body. */
  readonly bytes: number;
  /** True: redirections are followed. */
  readonly redirects: boolean;
  /** Says why a server at an IP address is not asked; then `https` alone is spoken, and redirections are not followed. */
  readonly refusalOf?: (address: string) => string | undefined;
}

/** The error when there is no response to use; the message says why. */
export class FetchFailure extends Error {
  /** The status of a response that is not a success; undefined if none came, or one that is too large. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.name = 'FetchFailure';
    this.status = status;
  }
}

/** Gets from the very address that was looked at: a name may lead to another one a moment later. */
const getFrom = async (
  url: string,
  { accept, refusalOf = () => undefined }: BoundedFetch,
  signal: AbortSignal,
): Promise<Response> => {
  const refuse = (address: string): void => {
    const reason = isIP(address) === 0 ? undefined : refusalOf(address);
    if (reason !== undefined) throw new FetchFailure(`${url} ${reason}`);
  };
  const lookup: LookupFunction = (host, options, found) =>
    lookUp(host, { ...options, all: true }, (error, addresses) => {
      try {
        for (const { address } of addresses ?? []) refuse(address);
        found(error, addresses);
      } catch (refusal) {
        found(refusal as FetchFailure, []);
      }
    });
  refuse(new URL(url).hostname.replace(/^\[|\]$/g, ''));
  const { get } = await import('node:https');
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    // Without the header, any coding would do (RFC 9110 section 12.5.3).
    const headers = { Accept: accept, 'Accept-Encoding': 'identity' };
    const settings = { headers, agent: false, autoSelectFamily: true } as const;
    get(url, { ...settings, lookup, signal }, resolve).on('error', reject);
  });
  const { 'content-encoding': coding = 'identity' } = message.headers;
  if (coding !== 'identity') {
    message.destroy();
    throw new FetchFailure(`${url} answers in the Content-Encoding ${coding}, unasked`);
  }
  return new Response(Readable.toWeb(message) as ReadableStream, {
    status: message.statusCode ?? 0,
  });
};

/**
 * Fetches the bytes at a URL.
 * @throws FetchFailure if no response comes in time, if it is not a success, or if it is too large
 */
export const fetchBounded = async (url: string, settings: BoundedFetch): Promise<Uint8Array> => {
  const { accept, milliseconds, bytes, redirects, refusalOf } = settings;
  const signal = AbortSignal.timeout(milliseconds);
  const redirect = redirects ? 'follow' : 'manual';
  try {
    const response = await (refusalOf === undefined
      ? fetch(url, { headers: { Accept: accept }, redirect, signal })
      : getFrom(url, settings, signal));
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw new FetchFailure(`${url} answers ${response.status}`, response.status);
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.length;
      if (size > bytes) throw new FetchFailure(`${url} is larger than ${bytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof FetchFailure) throw error;
    throw new FetchFailure(
      signal.aborted
        ? `${url} does not answer within ${milliseconds} ms`
        : `${url} does not answer`,
    );
  }
};
