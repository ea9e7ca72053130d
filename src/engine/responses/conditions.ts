/**
 * Conditional requests (RFC 9110 section 13), where the document declares them: entity tags of responses, If-None-Match for reads, and
 * If-Match and If-None-Match for changes, so that no update is lost.
 */

import { hash } from 'node:crypto';
import { writeJson } from '../../base/json/write-json';
import { parseMediaType } from '../../base/media-type';
import { HttpError } from '../../http/http-error';
import { isSafeMethod } from '../../http/request';
import type { HttpResponse } from '../../http/send';
import { headerParameter, type Operation, requestMethod } from '../../model/operation';
import { findPages, SerializedJson } from '../media-types/json/json';

/**
 * Throws the HttpError 412 unless the caller's If-Match and If-None-Match allow a change of what is there now: an item as the operations
 * answer it, or an entity tag of the handler's own, such as `"7"`; undefined where there is nothing. Does nothing where the caller sent no
 * condition, or the document declares none.
 */
export type Precondition = (current: unknown) => void;

type ConditionHeaders = Readonly<Record<string, string | string[] | undefined>>;

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
/** A field of tags, whose empty elements do not count; each space has one place in it, so that a long field takes no longer. */
const listPattern = new RegExp(`^(?:\\s*\\*\\s*|[\\s,]*${tag}(?:\\s*,[\\s,]*${tag})*[\\s,]*)$`);

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

const opaqueOf = (one: string): string => one.replace(/^W\//, '');

/**
 * Tells whether a field names what is there (RFC 9110 section 8.8.3.2).
 * @param isWeak true for weak comparison, as in If-None-Match; in the strong one no weak tag matches
 */
const isNamed = ({ isAny, tags }: Tags, current: unknown, isWeak: boolean): boolean => {
  if (current === undefined || isAny) return current !== undefined;
  const known = isWeak ? tags.map(opaqueOf) : tags.filter((one) => !one.startsWith('W/'));
  if (typeof current === 'string') return known.includes(isWeak ? opaqueOf(current) : current);
  const digest = digestOf(current);
  return known.some((one) => one.slice(1, -1).split('/', 1)[0] === digest);
};

const freely: Precondition = () => undefined;

/** The headers of the success that a 304 keeps (RFC 9110 section 15.4.5). */
const keptHeaders = /^(?:etag|cache-control|vary|content-location|expires)$/i;

/** Finds the conditions that an operation declares. */
export const conditionsOf = (operation: Operation) => {
  const { method, responses } = operation;
  const declares = (status: string): boolean => responses.some(({ key }) => key === status);
  const isRead = method === 'get' || method === 'head';
  const tagsAll = isRead && declares('304');
  const tagged = responses
    .filter(({ key }) => key.startsWith('2'))
    .filter(({ headers }) => tagsAll || headers.some(({ name }) => /^etag$/i.test(name)));
  const isChange = !isSafeMethod(requestMethod(method));
  // A POST creates: there is nothing that was read before.
  const isRequired = isChange && method !== 'post' && declares('428');
  const isDeclared = ['if-match', 'if-none-match'].some((name) => headerParameter(operation, name));
  const isConditional = isChange && (isRequired || isDeclared || declares('412'));
  return {
    /** The responses that get an entity tag, unless their handler gives one. */
    tagged: new Set(tagged),
    /** Reads the conditions. Throws HttpError 400 for a malformed one, and 428 where there is none and the operation declares that status. */
    precondition(headers: ConditionHeaders): Precondition {
      if (!isConditional) return freely;
      const wanted = readTags('If-Match', headers);
      const unwanted = readTags('If-None-Match', headers);
      if (!wanted && !unwanted) {
        if (!isRequired) return freely;
        const message = 'Send in If-Match the ETag that was read';
        throw new HttpError(428, 'precondition-required', message);
      }
      // RFC 9110 section 13.2.2.
      return (current) => {
        const hasChanged = wanted !== undefined && !isNamed(wanted, current, false);
        if (!hasChanged && !(unwanted && isNamed(unwanted, current, true))) return;
        const message = hasChanged
          ? 'It has changed since it was read: read it again, and send its ETag in If-Match'
          : 'It is there already, and If-None-Match asks that it is not';
        throw new HttpError(412, 'precondition-failed', message);
      };
    },
    /** Answers 304 in place of a success whose tag the caller has (RFC 9110 section 13.1.2). Throws HttpError 400. */
    answer(response: HttpResponse, headers: ConditionHeaders): HttpResponse {
      if (!isRead || tagged.length === 0 || response.status !== 200) return response;
      const known = readTags('If-None-Match', headers);
      const { ETag: sent } = response.headers;
      const isKnown = known && sent !== undefined && isNamed(known, String(sent), true);
      if (!isKnown) return response;
      const kept = Object.entries(response.headers).filter(([name]) => keptHeaders.test(name));
      return { status: 304, headers: Object.fromEntries(kept), body: undefined };
    },
  };
};
