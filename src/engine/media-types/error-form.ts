/** How errors are told in a media type, as far as its schema has a place for them. */

import type { Shape } from '../schema/shape';
import type { Codec } from './codec/codec';
import { contentCodec, textCodec } from './codecs';

/**
 * - `object`: our error object;
 * - `problem`: problem details (RFC 9457), with the list of what is wrong; `bareProblem`: without;
 * - `sentence`: a text; `markup`: a text where `<` and `&` mean something.
 */
export type ErrorForm = 'object' | 'problem' | 'bareProblem' | 'sentence' | 'markup';

const PROBLEM = /^application\/problem\+/i;
const MARKUP = /^text\/html\b|^application\/xhtml\+/i;
const TEXT = /^text\//i;

/** Members of our error object that problem details do not have. */
const ownMembers = ['code', 'message'];
const problemMembers = ['title', 'status', 'detail'];

const objectForm = (mediaType: string, { properties, additional }: Shape): ErrorForm => {
  const declares = (name: string): boolean => properties.has(name);
  const isProblem =
    !ownMembers.some(declares) && (PROBLEM.test(mediaType) || problemMembers.every(declares));
  if (!isProblem) return 'object';
  const errors = properties.get('errors') ?? (additional === false ? undefined : 'undeclared');
  const takesList =
    errors === 'undeclared' || (errors !== undefined && /^(?:array|any)$/.test(errors.type));
  return takesList ? 'problem' : 'bareProblem';
};

const isBytes = ({ format }: Shape): boolean => format === 'binary' || format === 'byte';

const textForm = (mediaType: string, codec: Codec | undefined): ErrorForm | undefined => {
  if (codec !== undefined) return 'sentence';
  if (MARKUP.test(mediaType)) return 'markup';
  return TEXT.test(mediaType) ? 'sentence' : undefined;
};

/**
 * The form; undefined where there is none, as in bytes, tables and lists.
 * @param mediaType no range
 */
export const errorFormOf = (mediaType: string, shape: Shape): ErrorForm | undefined => {
  if (isBytes(shape)) return undefined;
  const { type } = shape;
  const codec = contentCodec(mediaType, shape);
  const hasParts = codec !== undefined && codec !== textCodec;
  if (type === 'string') return textForm(mediaType, codec);
  if (type === 'any' && !hasParts) return textForm(mediaType, codec);
  const isObject = type === 'object' || type === 'any';
  return hasParts && isObject ? objectForm(mediaType, shape) : undefined;
};
