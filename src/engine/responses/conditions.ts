/**
 * Conditional requests (RFC 9110 section 13), where the document declares them: entity tags of responses, If-None-Match for reads, and
 * If-Match for changes, so that no update is lost.
 */

import { hash } from 'node:crypto';
import { writeJson } from '../../base/json/write-json';
import { parseMediaType } from '../../base/media-type';
import { HttpError } from '../../http/http-error';
import type { HttpResponse } from '../../http/send';
import { type Operation, type Response, requestMethod } from '../../model/operation';
import { findPages, SerializedJson } from '../media-types/json/json';

/**
 * Throws the HttpError 412 unless the caller's If-Match allows a change of what is there now: an item as the operations answer it, or an
 * entity tag of the handler's own, such as `"7"`; undefined where there is nothing. Does nothing where the caller sent no condition, or
 * the document declares none.
 */
export type Precondition = (current: unknown) => void;

/** The headers of a request that conditions stand in. */
type ConditionHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The conditions that an operation declares. */
export interface DeclaredConditions {
  /** The responses that get an entity tag, unless their handler gives one. */
  readonly tagged: ReadonlySet<Response>;
  /** Reads If-Match. Throws HttpError 400 where it is malformed, and 428 where it is missing and the operation declares that status. */
  precondition(headers: ConditionHeaders): Precondition;
  /** Answers 304 in place of a success whose tag the caller has (RFC 9110 section 13.1.2). Throws HttpError 400. */
  answer(response: HttpResponse, headers: ConditionHeaders): HttpResponse;
}

/** Returns what all tags of a value have in common: 96 bits of its SHA-256. */
const digestOf = (value: unknown): string => {
  const bytes =
    value instanceof SerializedJson
      ? value.text
      : value instanceof Uint8Array
        ? value
        : writeJson(value);
  return hash('sha256', bytes, 'base64url').slice(0, 16);
};

/**
 * Makes what gives bodies their strong tags in a media type; in each they have another one (RFC 9110 section 8.8.3.3). What is sent while
 * it is made has none; a list that is read while it is sent, and what is given as bytes, has that of what is sent.
 */
export const entityTags = (mediaType: string) => {
  const type = parseMediaType(mediaType)?.essence ?? mediaType;
  const suffix = type === 'application/json' ? '' : `/${type}`;
  return ({ body }: { readonly body?: unknown }, sent: HttpResponse['body']) => {
    if (typeof sent !== 'string' && !(sent instanceof Uint8Array)) return undefined;
    const value = body === undefined || findPages(body) !== undefined ? sent : body;
    return `"${digestOf(value)}${suffix}"`;
  };
};

/** One entity tag (RFC 9110 section 8.8.3). */
const tag = String.raw`(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const tagPattern = new RegExp(tag, 'g');
/** A field of tags; each space has one place in it, so that a long field takes no longer. */
const listPattern = new RegExp(`^\\s*(?:\\*|${tag}(?:\\s*,\\s*${tag})*(?:\\s*,)?)\\s*$`);

/** A field of tags, as they are spelled; `*` has none. */
interface Tags {
  readonly isAny: boolean;
  readonly tags: readonly string[];
}

/** Reads a field of tags; undefined where the request has none. Throws HttpError 400. */
const readTags = (name: string, headers: ConditionHeaders): Tags | undefined => {
  const field = headers[name.toLowerCase()];
  if (field === undefined) return undefined;
  const text = String(field);
  if (!listPattern.test(text)) {
    const message = 'must be * or entity tags such as "abc"';
    const errors = [{ in: 'header', path: name, message, rule: 'syntax' } as const];
    throw new HttpError(400, 'invalid-parameter', `${name} ${message}`, { errors });
  }
  return { isAny: text.trim() === '*', tags: text.match(tagPattern) ?? [] };
};

/** Tells whether a tag of the list stands for what is there, by strong comparison: weak ones do not (RFC 9110 section 8.8.3.2). */
const isCurrent = ({ tags }: Tags, current: unknown): boolean => {
  const strong = tags.filter((one) => one.startsWith('"'));
  if (typeof current === 'string') return strong.includes(current);
  const digest = digestOf(current);
  return strong.some((one) => one.slice(1, -1).split('/', 1)[0] === digest);
};

const freely: Precondition = () => undefined;

const preconditionOf =
  (condition: Tags): Precondition =>
  (current) => {
    if (current !== undefined && (condition.isAny || isCurrent(condition, current))) return;
    const message =
      'It has changed since it was read: read it again, and send its ETag in If-Match';
    throw new HttpError(412, 'precondition-failed', message);
  };

/** The headers of the success that a 304 keeps (RFC 9110 section 15.4.5). */
const keptHeaders = /^(?:etag|cache-control|vary|content-location|expires)$/i;

const notModified = ({ headers }: HttpResponse): HttpResponse => ({
  status: 304,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => keptHeaders.test(name))),
  body: undefined,
});

/** Leaves out the mark of a weak tag: If-None-Match compares without it (RFC 9110 section 8.8.3.2). */
const opaqueOf = (one: string): string => one.replace(/^W\//, '');

/** Finds the conditions that an operation declares. */
export const conditionsOf = (operation: Operation): DeclaredConditions => {
  const { method, parameters, responses } = operation;
  const declares = (status: string): boolean => responses.some(({ key }) => key === status);
  const isRead = method === 'get' || method === 'head';
  const tagsAll = isRead && declares('304');
  const tagged = responses
    .filter(({ key }) => key.startsWith('2'))
    .filter(({ headers }) => tagsAll || headers.some(({ name }) => /^etag$/i.test(name)));
  const isChange = ['PUT', 'PATCH', 'DELETE'].includes(requestMethod(method));
  const isConditional =
    isChange &&
    (declares('412') ||
      declares('428') ||
      parameters.some(({ name, in: place }) => place === 'header' && /^if-match$/i.test(name)));
  return {
    tagged: new Set(tagged),
    precondition(headers) {
      if (!isConditional) return freely;
      const condition = readTags('If-Match', headers);
      if (condition !== undefined) return preconditionOf(condition);
      if (!declares('428')) return freely;
      const message = 'Send in If-Match the ETag that was read';
      throw new HttpError(428, 'precondition-required', message);
    },
    answer(response, headers) {
      if (!isRead || tagged.length === 0 || response.status !== 200) return response;
      const known = readTags('If-None-Match', headers);
      const sent = response.headers['ETag'];
      if (known === undefined || sent === undefined) return response;
      const opaque = opaqueOf(String(sent));
      const isKnown = known.isAny || known.tags.some((one) => opaqueOf(one) === opaque);
      return isKnown ? notModified(response) : response;
    },
  };
};
