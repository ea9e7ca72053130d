/** Compares request bodies. */

import { pointerTo } from '../../../base/json-pointer';
import { parseMediaType } from '../../../base/media-type';
import { isPlainObject } from '../../../base/plain-object';
import type { Spot } from '../rules/finding';
import type { Side } from '../rules/rules';
import type { SourceObject, SourceObjects } from '../values/source-objects';
import { compareEncodings } from './compare-encodings';
import {
  compareFlag,
  fieldSpot,
  isSet,
  type MessageComparison,
  spotOf,
} from './message-comparison';

interface Entry {
  readonly key: string;
  readonly mediaType: SourceObject;
  readonly spot: Spot;
}

/** A media type as it is compared: case and an encoding of UTF-8 make no difference. */
const normalised = (key: string): string => {
  const parsed = parseMediaType(key);
  if (parsed === undefined) return key.toLowerCase();
  const parameters = Object.entries(parsed.parameters)
    .filter(([name, value]) => name !== 'charset' || !/^utf-?8$/i.test(value))
    .map(([name, value]) => `;${name}=${value.toLowerCase()}`)
    .sort();
  return parsed.essence + parameters.join('');
};

const entriesOf = (holder: SourceObject, source: SourceObjects): ReadonlyMap<string, Entry> =>
  new Map(
    source.entries(holder.value['content']).map(([name, mediaType]) => {
      const spot = { pointer: pointerTo(`${holder.pointer}/content`, name), text: name };
      const key = normalised(name);
      return [key, { key, mediaType, spot }];
    }),
  );

/** The ranges that a media type is in, the narrowest first. */
const rangesOf = (key: string): readonly string[] => {
  const [essence = ''] = key.split(';');
  const [type = '', subtype = ''] = essence.split('/');
  const suffix = subtype.includes('+')
    ? [`${type}/*${subtype.slice(subtype.lastIndexOf('+'))}`]
    : [];
  return [key, essence, ...suffix, `${type}/*`, '*/*'];
};

/** Finds the entry that describes bodies of the media type: its own, or that of a range. */
const entryFor = (key: string, entries: ReadonlyMap<string, Entry>): Entry | undefined => {
  const found = rangesOf(key).find((range) => entries.has(range));
  return found === undefined ? undefined : entries.get(found);
};

const isXml = (key: string): boolean => /[/+]xml$/.test(key.split(';', 1)[0] ?? '');

/** Forms and plain text carry scalars as text. */
const isWrittenAsText = (key: string): boolean =>
  /^(?:application\/x-www-form-urlencoded|multipart\/|text\/plain)/.test(key);

/** Gives the name of a body's element that has none itself: the component's. */
const rootName = (schema: unknown, source: SourceObjects): string => {
  const pointer = isPlainObject(schema) ? source.find(schema)?.pointer : undefined;
  return /^\/components\/schemas\/([^/]+)$/.exec(pointer ?? '')?.[1] ?? '';
};

const compareMediaType = (
  comparison: MessageComparison,
  old: Entry,
  now: Entry,
  side: Side,
): void => {
  const [schema, newSchema] = [old.mediaType.value['schema'], now.mediaType.value['schema']];
  const xml = () => ({
    old: rootName(schema, comparison.old),
    new: rootName(newSchema, comparison.new),
    isProperty: false,
  });
  const wire = {
    isText: isWrittenAsText(now.key),
    xml: isXml(old.key) && isXml(now.key) ? xml() : undefined,
  };
  comparison.compareSchemas(schema, newSchema, side, wire);
  compareEncodings(comparison, [old.mediaType, now.mediaType], now.key, side);
};

/** A media type that is new may have been in a range before, which then promised what its bodies are. */
const compareNewEntry = (
  comparison: MessageComparison,
  entry: Entry,
  olds: ReadonlyMap<string, Entry>,
  side: Side,
): void => {
  const before = entryFor(entry.key, olds);
  if (before === undefined) comparison.report('media-type-added', side, undefined, entry.spot);
  else if (side === 'response') compareMediaType(comparison, before, entry, side);
};

/** Compares the `content` of two objects; one without any carries no body that is described. */
export const compareContent = (
  comparison: MessageComparison,
  [old, now]: readonly [SourceObject, SourceObject],
  side: Side,
): void => {
  const olds = entriesOf(old, comparison.old);
  const news = entriesOf(now, comparison.new);
  for (const [key, entry] of olds) {
    const next = entryFor(key, news);
    if (next !== undefined) compareMediaType(comparison, entry, next, side);
    else comparison.report('media-type-removed', side, entry.spot, undefined);
  }
  for (const [key, entry] of news) {
    if (!olds.has(key)) compareNewEntry(comparison, entry, olds, side);
  }
};

/** The property that names the resource (`x-identifier`), which is required. */
const compareIdentifiers = (
  { report, sent }: MessageComparison,
  old: SourceObject,
  now: SourceObject,
): void => {
  const field = 'x-identifier';
  const [was, is] = [old.value[field], now.value[field]];
  if (was === is) return;
  if (is !== undefined)
    report('identifier-added', sent, undefined, fieldSpot(now, field, String(is)));
  else report('identifier-removed', sent, fieldSpot(old, field, String(was)), undefined);
};

/** Compares the request bodies of two operations. */
export const compareBodies = (
  comparison: MessageComparison,
  oldOperation: SourceObject,
  newOperation: SourceObject,
): void => {
  const { report, sent } = comparison;
  const old = comparison.old.find(oldOperation.value['requestBody']);
  const now = comparison.new.find(newOperation.value['requestBody']);
  if (old === undefined && now !== undefined) {
    const rule = isSet(now, 'required') ? 'required-body-added' : 'body-added';
    report(rule, sent, undefined, spotOf(now));
  }
  if (old !== undefined && now === undefined) report('body-removed', sent, spotOf(old), undefined);
  if (old === undefined || now === undefined) return;
  compareFlag(comparison, [old, now], 'required', sent, {
    set: 'body-became-required',
    unset: 'body-became-optional',
  });
  compareIdentifiers(comparison, old, now);
  compareContent(comparison, [old, now], sent);
};
