/** Compares request bodies. */

import { parseMediaType } from '../../../base/media-type';
import type { MediaType, Operation, RequestBody } from '../../../model/operation';
import { type Schema, schemaOf } from '../../../model/schema';
import type { PresenceRules } from '../rules/finding';
import type { Side } from '../rules/rules';
import type { Wire } from '../schemas/schema-pair';
import { compareEncodings } from './compare-encodings';
import {
  compareFlag,
  fieldSpot,
  isBroken,
  type MessageComparison,
  spotOf,
} from './message-comparison';

interface Entry {
  readonly key: string;
  readonly mediaType: MediaType;
}

type Content = readonly MediaType[];

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

const entriesOf = (content: Content): ReadonlyMap<string, Entry> =>
  new Map(
    content.map((mediaType) => {
      const key = normalised(mediaType.key);
      return [key, { key, mediaType }];
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

/** Tells whether a content is described, and not as text, which says nothing of its items. */
const isStructured = (schema: Schema | undefined): boolean =>
  schema !== undefined && schema.types?.every((type) => type === 'string') !== true;

/** The rules of items that one content alone describes; `same`: the other one describes them as a list. */
const loneItemRules: Readonly<Record<'same' | 'new', PresenceRules>> = {
  same: { added: 'items-one-by-one', removed: 'items-as-a-whole' },
  new: { added: 'item-schema-added', removed: 'item-schema-removed' },
};

/** Compares what contents say of the whole and of its items, which `schema` describes as a list (OAS 3.2.0, Sequential Media Types). */
const compareValues = (
  { report, compareSchemas }: MessageComparison,
  [old, now]: readonly [MediaType, MediaType],
  side: Side,
  wire: Wire,
): void => {
  const compare = (was: Schema | undefined, is: Schema | undefined): void =>
    compareSchemas(was, is, side, wire);
  const isNew = old.itemSchema === undefined;
  const [items, other] = isNew ? [now, old] : [old, now];
  if (other.itemSchema !== undefined) compare(old.itemSchema, now.itemSchema);
  if (items.itemSchema === undefined || other.itemSchema !== undefined) {
    compare(old.schema, now.schema);
    return;
  }
  const pointer = `${items.pointer}/itemSchema`;
  const isSame = items.schema === undefined && isStructured(other.schema);
  const { added, removed } = loneItemRules[isSame ? 'same' : 'new'];
  if (isNew) report(added, side, undefined, { pointer });
  else report(removed, side, { pointer }, undefined);
  const list = schemaOf({ pointer, types: ['array'], items: items.itemSchema });
  const wholeOf = (content: MediaType) => (content === items && isSame ? list : content.schema);
  if (isSame || items.schema !== undefined) compare(wholeOf(old), wholeOf(now));
};

const compareMediaType = (
  comparison: MessageComparison,
  old: Entry,
  now: Entry,
  side: Side,
): void => {
  const [schema, newSchema] = [old.mediaType.schema, now.mediaType.schema];
  // The element of a body that has no name itself is called as the component.
  const [name = '', newName = ''] = [schema?.component, newSchema?.component];
  const xml = { old: name, new: newName, isProperty: false };
  const wire = {
    isText: isWrittenAsText(now.key),
    xml: isXml(old.key) && isXml(now.key) ? xml : undefined,
  };
  const contents = [old.mediaType, now.mediaType] as const;
  compareValues(comparison, contents, side, wire);
  compareEncodings(comparison, contents, now.key, side);
};

/** A media type that is new may have been in a range before, which then promised what its bodies are. */
const compareNewEntry = (
  comparison: MessageComparison,
  entry: Entry,
  olds: ReadonlyMap<string, Entry>,
  side: Side,
): void => {
  const before = entryFor(entry.key, olds);
  const { mediaType } = entry;
  const spot = spotOf(mediaType, mediaType.key);
  if (before === undefined) comparison.report('media-type-added', side, undefined, spot);
  else if (side === 'response') compareMediaType(comparison, before, entry, side);
};

/** Compares the `content` of two objects; one without any carries no body that is described. */
export const compareContent = (
  comparison: MessageComparison,
  [old, now]: readonly [Content, Content],
  side: Side,
): void => {
  const [olds, news] = [entriesOf(old), entriesOf(now)];
  for (const [key, entry] of olds) {
    const next = entryFor(key, news);
    if (next !== undefined) compareMediaType(comparison, entry, next, side);
    else {
      const spot = spotOf(entry.mediaType, entry.mediaType.key);
      comparison.report('media-type-removed', side, spot, undefined);
    }
  }
  for (const [key, entry] of news) {
    if (!olds.has(key)) compareNewEntry(comparison, entry, olds, side);
  }
};

/** The property that names the resource (`x-identifier`), which is required. */
const compareIdentifiers = (
  { report, sent }: MessageComparison,
  old: RequestBody,
  now: RequestBody,
): void => {
  const field = 'x-identifier';
  const [was, is] = [old.identifier, now.identifier];
  if (was === is) return;
  if (is !== undefined) report('identifier-added', sent, undefined, fieldSpot(now, field, is));
  else report('identifier-removed', sent, fieldSpot(old, field, was), undefined);
};

/** Compares the request bodies of two operations. */
export const compareBodies = (
  comparison: MessageComparison,
  oldOperation: Operation,
  newOperation: Operation,
): void => {
  if (isBroken(oldOperation, 'requestBody') || isBroken(newOperation, 'requestBody')) return;
  const [old, now] = [oldOperation.requestBody, newOperation.requestBody];
  const { report, sent } = comparison;
  if (old === undefined && now !== undefined) {
    report(now.required ? 'required-body-added' : 'body-added', sent, undefined, spotOf(now));
  }
  if (old !== undefined && now === undefined) report('body-removed', sent, spotOf(old), undefined);
  if (old === undefined || now === undefined) return;
  compareFlag(comparison, [old, now], 'required', sent, {
    set: 'body-became-required',
    unset: 'body-became-optional',
  });
  compareIdentifiers(comparison, old, now);
  compareContent(comparison, [old.content, now.content], sent);
};
