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

/** One entity tag (RFC 9110 section 8.8.3); the groups are the mark of a weak one, and what is in quotes. */
const tagPattern = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;
const listPattern = /^\s*(?:\*|(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"\s*(?:,\s*|$))+)\s*$/;

interface Tags {
  readonly isAny: boolean;
  readonly tags: readonly { readonly isWeak: boolean; readonly opaque: string }[];
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
  const tags = [...text.matchAll(tagPattern)].map(([, weak, opaque = '']) => ({
    ...{ isWeak: weak !== undefined, opaque },
  }));
  return { isAny: text.trim() === '*', tags };
};

/** Tells whether a tag of the list stands for what is there, by strong comparison (RFC 9110 section 8.8.3.2). */
const isCurrent = ({ tags }: Tags, current: unknown): boolean => {
  const strong = tags.filter(({ isWeak }) => !isWeak).map(({ opaque }) => opaque);
  if (typeof current === 'string') return strong.some((opaque) => current === `"${opaque}"`);
  const digest = digestOf(current);
  return strong.some((opaque) => opaque.split('/', 1)[0] === digest);
};

const freely: Precondition = () => undefined;

const preconditionOf = (condition: Tags): Precondition => {
  return (current) => {
    if (current !== undefined && (condition.isAny || isCurrent(condition, current))) return;
    const message =
      'It has changed since it was read: read it again, and send its ETag in If-Match';
    throw new HttpError(412, 'precondition-failed', message);
  };
};

/** The headers of the success that a 304 keeps (RFC 9110 section 15.4.5). */
const keptHeaders = /^(?:etag|cache-control|vary|content-location|expires)$/i;

const notModified = ({ headers }: HttpResponse): HttpResponse => ({
  status: 304,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => keptHeaders.test(name))),
  body: undefined,
});

const isReading = ({ method }: Operation): boolean => method === 'get' || method === 'head';

const isSuccess = ({ key }: Response): boolean => key.startsWith('2');

/** Finds the conditions that an operation declares. */
export const conditionsOf = (operation: Operation): DeclaredConditions => {
  const { parameters, responses } = operation;
  const declares = (status: string): boolean => responses.some(({ key }) => key === status);
  const hasTag = ({ headers }: Response): boolean =>
    headers.some(({ name }) => name.toLowerCase() === 'etag');
  const isRead = isReading(operation);
  const tagged = responses.filter(
    (response) => isSuccess(response) && (hasTag(response) || (isRead && declares('304'))),
  );
  const isChange = ['PUT', 'PATCH', 'DELETE'].includes(requestMethod(operation.method));
  const isConditional =
    isChange &&
    (declares('412') ||
      declares('428') ||
      parameters.some(
        ({ name, in: place }) => place === 'header' && name.toLowerCase() === 'if-match',
      ));
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
      const tag = response.headers['ETag'];
      if (known === undefined || tag === undefined) return response;
      const opaque = String(tag).replace(/^W\//, '').slice(1, -1);
      const isKnown = known.isAny || known.tags.some((one) => one.opaque === opaque);
      return isKnown ? notModified(response) : response;
    },
  };
};
