/** Compares request bodies. */

import { parseMediaType } from '../../../base/media-type';
import type { MediaType, Operation, RequestBody } from '../../../model/operation';
import { type Schema, schemaOf } from '../../../model/schema';
import type { DiffRuleId, Side } from '../rules/rules';
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
  if (contents.every(({ itemSchema }) => itemSchema === undefined)) {
    comparison.compareSchemas(schema, newSchema, side, wire);
  } else compareItems(comparison, contents, side, wire);
  compareEncodings(comparison, contents, now.key, side);
};

/** A content's items as the list that the whole of it is (OAS 3.2.0, Sequential Media Types). */
const listOf = ({ pointer, itemSchema }: MediaType): Schema =>
  schemaOf({ pointer: `${pointer}/itemSchema`, types: ['array'], items: itemSchema });

/** Tells whether a schema describes a content as text, which says nothing of its items. */
const isText = ({ types }: Schema): boolean => types?.every((type) => type === 'string') === true;

/** Compares contents of which one alone describes its items: a `schema` of the other may describe the same ones. */
const compareLoneItems = (
  comparison: MessageComparison,
  [old, now]: readonly [MediaType, MediaType],
  side: Side,
  wire: Wire,
): void => {
  const isNew = old.itemSchema === undefined;
  const [items, other] = isNew ? [now, old] : [old, now];
  const spot = { pointer: `${items.pointer}/itemSchema` };
  const report = (rule: DiffRuleId): void =>
    comparison.report(rule, side, isNew ? undefined : spot, isNew ? spot : undefined);
  if (items.schema === undefined && other.schema !== undefined && !isText(other.schema)) {
    report(isNew ? 'items-one-by-one' : 'items-as-a-whole');
    const [was, is] = isNew ? [old.schema, listOf(now)] : [listOf(old), now.schema];
    comparison.compareSchemas(was, is, side, wire);
    return;
  }
  report(isNew ? 'item-schema-added' : 'item-schema-removed');
  if (items.schema !== undefined) comparison.compareSchemas(old.schema, now.schema, side, wire);
};

/** Compares contents of items. */
const compareItems = (
  comparison: MessageComparison,
  contents: readonly [MediaType, MediaType],
  side: Side,
  wire: Wire,
): void => {
  const [old, now] = contents;
  if (old.itemSchema === undefined || now.itemSchema === undefined) {
    compareLoneItems(comparison, contents, side, wire);
    return;
  }
  comparison.compareSchemas(old.itemSchema, now.itemSchema, side, wire);
  comparison.compareSchemas(old.schema, now.schema, side, wire);
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
