/** Compares request bodies. */

import { octetsIn } from '../../../base/media-type';
import type { MediaType, Operation } from '../../../model/operation';
import { schemaOf } from '../../../model/schema';
import { bothOf, lone } from '../rules/finding';
import type { Wire } from '../schemas/schema-pair';
import { compareEncodings } from './compare-encodings';
import {
  compareFlags,
  entryFor,
  fieldSpot,
  isBroken,
  type MessageComparison,
  normalised,
  type SideComparison,
  spotOf,
} from './message-comparison';

/** A media type with its key as it is compared, and as it is written. */
type ContentEntry = MediaType & { readonly written: string };

/** Compares what contents say of the whole and of its items, which `schema` describes as a list (OAS 3.2.0, Sequential Media Types). */
const compareValues = (comparison: SideComparison, old: MediaType, now: MediaType, wire: Wire) => {
  const [items, other] = old.itemSchema === undefined ? [now, old] : [old, now];
  if (other.itemSchema !== undefined) {
    const octets = wire.octets && 'whole';
    comparison.compareSchemas(old.itemSchema, now.itemSchema, { ...wire, octets });
  }
  if (items.itemSchema === undefined || other.itemSchema !== undefined) {
    comparison.compareSchemas(old.schema, now.schema, wire);
    return;
  }
  const pointer = `${items.pointer}/itemSchema`;
  const spot = (content: MediaType) => (content === items ? { pointer } : undefined);
  // One content alone describes the items; the other one may describe the same as a list.
  const isText = other.schema?.types?.every((type) => type === 'string');
  const isSame = items.schema === undefined && other.schema !== undefined && isText !== true;
  const sameRules = { added: 'items-one-by-one', removed: 'items-as-a-whole' } as const;
  bothOf(comparison, spot(old), spot(now), isSame ? sameRules : 'item-schema');
  const list = schemaOf({ pointer, types: ['array'], items: items.itemSchema });
  const wholeOf = (content: MediaType) => (content === items && isSame ? list : content.schema);
  if (isSame || items.schema) comparison.compareSchemas(wholeOf(old), wholeOf(now), wire);
};

const compareMediaType = (comparison: SideComparison, old: ContentEntry, now: ContentEntry) => {
  const isXml = [old, now].every(({ key }) => /[/+]xml$/.test(key.split(';', 1)[0] ?? ''));
  // The element of a body that has no name itself is called as the component.
  const [name = '', newName = ''] = [old, now].map(({ schema }) => schema?.component);
  const wire: Wire = {
    // Forms and plain text carry scalars as text.
    isText: /^(?:application\/x-www-form-urlencoded|multipart\/|text\/plain)/.test(now.key),
    xml: isXml ? { old: name, new: newName, isProperty: false } : undefined,
    octets: octetsIn(now.key),
  };
  compareValues(comparison, old, now, wire);
  compareEncodings(comparison, old, now, now.key);
};

/** Compares the `content` of two objects; one without any carries no body that is described. */
export const compareContent = (
  comparison: SideComparison,
  old: readonly MediaType[],
  now: readonly MediaType[],
): void => {
  const entriesOf = (content: readonly MediaType[]): ReadonlyMap<string, ContentEntry> =>
    new Map(
      content
        .map((one) => ({ ...one, key: normalised(one.key), written: one.key }))
        .map((one) => [one.key, one]),
    );
  const [olds, news] = [entriesOf(old), entriesOf(now)];
  const spot = (entry: ContentEntry | undefined) => entry && spotOf(entry, entry.written);
  for (const key of new Set([...olds.keys(), ...news.keys()])) {
    const [before, after] = [entryFor(key, olds), entryFor(key, news)];
    // Receivers do not choose: what is new reaches them, and they miss nothing that could also come otherwise.
    const isChosen = comparison.side === 'request' || !comparison.isOfWebhook;
    const part =
      before &&
      !after &&
      [...news.values()].find((entry) => entryFor(entry.key, new Map([[key, before]])));
    // Of a range any type could come, and fewer do now.
    if (part && comparison.side === 'response') {
      comparison.report('media-type-narrowed', spot(before), spot(part));
    } else if (!before || !after)
      bothOf(comparison, spot(before), spot(after), isChosen ? 'media-type' : 'sent-media-type');
    // A media type that is new may have been in a range before, which then promised what its bodies are.
    else if (olds.has(key) || comparison.side === 'response')
      compareMediaType(comparison, before, after);
  }
};

/** Compares the request bodies of two operations. */
export const compareBodies = (
  { sent }: MessageComparison,
  oldOperation: Operation,
  newOperation: Operation,
): void => {
  if (isBroken(oldOperation, 'requestBody') || isBroken(newOperation, 'requestBody')) return;
  const [old, now] = [oldOperation.requestBody, newOperation.requestBody];
  const added = now?.required ? 'required-body-added' : 'body-added';
  bothOf(sent, old && spotOf(old), now && spotOf(now), { added, removed: 'body-removed' });
  if (old === undefined || now === undefined) return;
  compareFlags(sent, old, now, ['required', 'body-became-required', 'body-became-optional']);
  // The property that names the resource (`x-identifier`) is required.
  if (old.identifier !== now.identifier) {
    const isGone = now.identifier === undefined;
    const body = isGone ? old : now;
    const spot = fieldSpot(body, 'x-identifier', body.identifier);
    sent.report(`identifier-${isGone ? 'removed' : 'added'}`, ...lone(isGone, spot));
  }
  compareContent(sent, old.content, now.content);
};
