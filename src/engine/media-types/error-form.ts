/** The forms of an error in a media type: our error object, problem details (RFC 9457), a text, or nothing at all; and the bodies in each. */

import { STATUS_CODES } from 'node:http';
import type { HttpError } from '../../http/http-error';
import type { Shape } from '../../schema/shape';
import type { Codec } from './codec/codec';
import { type Codecs, plainTextCodec } from './codecs';

/**
 * The form of an error:
 * - `object`: our error object;
 * - `problem`: problem details (RFC 9457), with the list of errors;
 * - `sentence`: a text; `markup`: a text with `<` and `&` escaped.
 */
export type ErrorForm = 'object' | 'problem' | 'sentence' | 'markup';

/** Tells whether a media type is one of problem details (RFC 9457). */
export const isProblem = (mediaType: string): boolean => /^application\/problem\+/i.test(mediaType);

const textForm = (mediaType: string, codec: Codec | undefined): ErrorForm | undefined => {
  if (codec !== undefined) return 'sentence';
  if (/^text\/html\b|^application\/xhtml\+/i.test(mediaType)) return 'markup';
  return /^text\//i.test(mediaType) ? 'sentence' : undefined;
};

/**
 * Returns the form of errors in a media type, as far as its schema has a place for them; undefined if it has none, as bytes, tables
 * and lists.
 * @param mediaType no range
 */
export const errorFormOf = (
  mediaType: string,
  shape: Shape,
  codecs: Codecs,
): ErrorForm | undefined => {
  const { type, isBinary, contentEncoding } = shape;
  if (isBinary || contentEncoding !== undefined) return undefined;
  const codec = codecs.contentCodec(mediaType, shape);
  const isStructured = codec !== undefined && codec !== plainTextCodec;
  if (type === 'string' || (type === 'any' && !isStructured)) return textForm(mediaType, codec);
  if (!isStructured || (type !== 'object' && type !== 'any')) return undefined;
  const declares = (name: string): boolean => shape.properties.has(name);
  // Members of our error object that problem details do not have.
  if (['code', 'message'].some(declares)) return 'object';
  const hasProblem = isProblem(mediaType) || ['title', 'status', 'detail'].every(declares);
  return hasProblem ? 'problem' : 'object';
};

/** An error as the caller gets it. */
export interface ErrorResponse
  extends Pick<HttpError, 'status' | 'code' | 'message' | 'headers' | 'errors'> {
  /** The document's text for all errors of the status, which `message` gives, too; undefined if it has none. */
  readonly title: string | undefined;
  /** The reason for which this request failed. */
  readonly detail: string;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Makes the body: a value for its codec, or a text.
 * @param needsErrors true where the schema requires the list of errors, also where it is empty
 */
export const errorBody = (form: ErrorForm, error: ErrorResponse, needsErrors: boolean): unknown => {
  const { status, code, title = STATUS_CODES[status], message, detail, errors } = error;
  const isListed = needsErrors || errors.length > 0;
  if (form === 'sentence') return message;
  if (form === 'markup') return message.replace(/[&<>]/g, (sign) => escapes[sign] ?? sign);
  if (form === 'problem') {
    const problem = { type: 'about:blank', title, status, detail };
    return isListed ? { ...problem, errors } : problem;
  }
  // A property behind a spread makes V8 create a hidden class at each call: old-generation garbage, a collection each 0.6 s.
  return isListed
    ? { code: status, type: code, message, errors }
    : { code: status, type: code, message };
};
