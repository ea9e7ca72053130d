/** The rules that answers must keep: each has a stable name and one sentence. */

import { writeJson } from '../../base/json/write-json';

/** Sentences by the rule's name, in the order of the README. */
export const testRules = {
  'no-response': 'The server responds: it does not drop the connection or stay silent.',
  'server-error': 'No request leads to 5xx.',
  'undeclared-status': 'The status is declared: by itself, by its range or by `default`.',
  'undeclared-content-type': 'The Content-Type of a body is declared for the status.',
  'content-type-missing': 'A declared body has a Content-Type.',
  'body-missing': 'A declared body is present.',
  'body-not-allowed': 'Responses with 204, 205 or 304 have no body.',
  'body-malformed':
    'The body is well-formed JSON, XML or text of its media type, and so is each item of a stream.',
  'stream-broken': 'A stream ends behind a whole item, without an event `error`.',
  'body-invalid': 'The body fits its schema, or each of its items.',
  'write-only-sent': 'No response body has a `writeOnly` property.',
  'xml-differs': 'XML has the same values as JSON, under the declared names.',
  'header-missing': 'A required header is present.',
  'header-invalid': 'A declared header fits its schema.',
  'accept-ignored':
    'Of several declared media types, the response has the one that `Accept` asks for.',
  'invalid-accepted': 'A request that breaks one rule of the document is refused with 4xx.',
  'valid-refused': 'A valid value is not refused where others of its field are accepted.',
  'read-only-accepted': 'Requests cannot set a `readOnly` property.',
  'undeclared-media-type-accepted': 'A required body of an undeclared media type is refused.',
  'authentication-missing':
    'No request succeeds without the credentials that the document requires.',
  'wrong-credential-accepted': 'No request succeeds with a wrong credential.',
  'misplaced-credential-accepted': 'No request succeeds with a credential in the wrong place.',
  'scope-ignored': 'No request succeeds with a credential that lacks a required scope.',
  'challenge-missing':
    'A 401 carries `WWW-Authenticate` (RFC 9110, section 11.6.1), for API keys, too.',
  'undeclared-method-accepted': 'An undeclared method of a path does not succeed.',
  'allow-missing': 'A 405 carries `Allow` (RFC 9110, section 15.5.6).',
  'allow-incomplete': '`Allow` names every declared method of the path.',
  'head-differs': 'HEAD is answered like GET (RFC 9110, section 9.3.2), or not supported.',
  'condition-ignored':
    'What If-Match or If-None-Match does not allow is not done (RFC 9110, section 13.1).',
  'etag-wrong':
    'A strong ETag changes with the bytes, and every ETag stays with them (RFC 9110, section 8.8.3).',
  'idempotency-ignored': 'The same request with the same Idempotency-Key creates one resource.',
  'created-not-found': 'A created resource can be read.',
  'created-not-listed': 'A created resource is in the list.',
  'value-changed':
    'A value is read as it was written, digit by digit, and one that was left out as its default.',
  'update-lost': 'An update is stored.',
  'deleted-still-there': 'A deleted resource cannot be read.',
} as const;

/** The name of a rule; reports and tests may rely on it. */
export type TestRule = keyof typeof testRules;

export interface Problem {
  readonly rule: TestRule;
  /** The requirement of the document, as the end of "expected …". */
  readonly expected: string;
  /** The observation, as the end of "seen: …". */
  readonly seen: string;
  /** A JSON Pointer or a header: part of what tells one failure from another. */
  readonly place?: string;
}

/** The intent of a request, on which it depends which undeclared refusals are accepted. */
export type Intent = 'valid' | 'invalid' | 'unauthorized' | 'protocol';

const MOST_CHARACTERS = 80;

/** A value as a sentence shows it. */
export const shown = (value: unknown): string => {
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  const plain = value === undefined ? 'nothing there' : writeJson(value);
  return plain.length <= MOST_CHARACTERS
    ? plain
    : `${plain.slice(0, MOST_CHARACTERS).toWellFormed()}…`;
};
