/** Compares how the fields of forms and the parts of multipart bodies are written (OAS 3.0.3, Encoding Object). */

import type { Side } from '../rules/rules';
import type { SourceObject, SourceObjects } from '../values/source-objects';
import { compareHeaders, type HeaderRules } from './compare-headers';
import { type MessageComparison, spotOf } from './message-comparison';

const headerRules: HeaderRules = {
  added: 'encoding-header-added',
  requiredAdded: 'encoding-required-header-added',
  removed: 'encoding-header-removed',
  requiredRemoved: 'encoding-header-removed',
};

/** Other media types have no use for encodings. */
const hasEncodings = (mediaType: string): boolean =>
  mediaType.startsWith('multipart/') || mediaType.startsWith('application/x-www-form-urlencoded');

const encodingsOf = (
  mediaType: SourceObject,
  source: SourceObjects,
): ReadonlyMap<string, SourceObject> => new Map(source.entries(mediaType.value['encoding']));

/** Media types of a part, in any order. */
const contentTypes = ({ value }: SourceObject): string =>
  String(value['contentType'] ?? '')
    .toLowerCase()
    .split(',')
    .map((type) => type.trim())
    .sort()
    .join(', ');

const styleOf = ({ value }: SourceObject): string => {
  const style = String(value['style'] ?? 'form');
  const explode = value['explode'] ?? style === 'form';
  return `${style}, explode: ${explode}, allowReserved: ${value['allowReserved'] === true}`;
};

const compareEncoding = (
  comparison: MessageComparison,
  [old, now]: readonly [SourceObject, SourceObject],
  isMultipart: boolean,
  side: Side,
): void => {
  const [was, is] = isMultipart
    ? [contentTypes(old), contentTypes(now)]
    : [styleOf(old), styleOf(now)];
  const rule = isMultipart ? 'encoding-content-type-changed' : 'encoding-style-changed';
  if (was !== is) comparison.report(rule, side, spotOf(old, was), spotOf(now, is));
  if (isMultipart) compareHeaders(comparison, [old, now], side, headerRules);
};

/** Compares the `encoding` of two media types; a field without one is as one with an empty one. */
export const compareEncodings = (
  comparison: MessageComparison,
  [old, now]: readonly [SourceObject, SourceObject],
  mediaType: string,
  side: Side,
): void => {
  if (!hasEncodings(mediaType)) return;
  const olds = encodingsOf(old, comparison.old);
  const news = encodingsOf(now, comparison.new);
  for (const name of new Set([...olds.keys(), ...news.keys()])) {
    const none = ({ pointer }: SourceObject): SourceObject => ({ value: {}, pointer });
    const both = [olds.get(name) ?? none(old), news.get(name) ?? none(now)] as const;
    compareEncoding(comparison, both, mediaType.startsWith('multipart/'), side);
  }
};
