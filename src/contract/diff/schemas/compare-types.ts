/** Compares types, null, enums, limits, formats, patterns and contents. */

import { pointerTo } from '../../../base/json-pointer';
import { isBinary } from '../../../model/schema';
import { exactMultiple } from '../../../schema/validation/checks-of';
import { bothOf, entryPairs, inOrderOf, type Spot } from '../rules/finding';
import type { DiffRuleId } from '../rules/rules';
import { type MergedSchema, matchesAll } from './merged-schema';
import {
  type DeclaredLimit,
  declaredLimit,
  enumOf,
  isIdle,
  isInRange,
  isLimitedBy,
  isOfKind,
  limitKinds,
  limitsOf,
  possibleValues,
} from './possible-values';
import { type Keyword, keywordOf, keywordsOf, plainWire, type SchemaPair } from './schema-pair';
import {
  commonTypes,
  difference,
  typesText,
  type ValueType,
  type ValueTypes,
} from './schema-types';

const scalars: ValueTypes = new Set<ValueType>(['boolean', 'integer', 'fraction']);

/** In text, `5` fits `type: string`, unless that asks more of it. */
const asText = ({ side, wire, old, new: now }: SchemaPair, olds: ValueTypes, news: ValueTypes) => {
  const [sub, sup] = inOrderOf(side, olds, news);
  const more = difference(sub, sup);
  if (!wire.isText || !sup.has('string') || more.size === 0) return undefined;
  if (difference(more, scalars).size > 0) return undefined;
  const [, target] = inOrderOf(side, old, now);
  const keywords = ['pattern', 'format', 'minLength', 'maxLength', 'enum'] as const;
  const isFree = keywords.every((keyword) => keywordOf(target, keyword) === undefined);
  return isFree ? 'fits' : 'unclear';
};

const typeSpot = (schema: MergedSchema, text: string): Spot => ({
  pointer: keywordOf(schema, 'types')?.pointer ?? pointerTo(schema.pointer, 'type'),
  text,
});

const nullAlone: ValueTypes = new Set<ValueType>(['null']);

const reportTypes = (pair: SchemaPair, olds: ValueTypes, news: ValueTypes): void => {
  const [removed, added] = [difference(olds, news), difference(news, olds)];
  if (removed.size === 0 && added.size === 0) return;
  const spots = [typeSpot(pair.old, typesText(olds)), typeSpot(pair.new, typesText(news))] as const;
  const text = asText(pair, olds, news);
  if (text === 'unclear') pair.report('type-became-text', ...spots);
  else if (text === undefined && removed.size > 0 && added.size > 0) {
    pair.report('type-changed', ...spots);
  } else {
    // What fits as text is wider for requests, and narrower for responses.
    const isNarrower = text === 'fits' ? pair.side === 'response' : removed.size > 0;
    pair.report(isNarrower ? 'type-narrowed' : 'type-widened', ...spots);
  }
};

/** Compares the types; false where no value can be of both schemas, so that nothing else is worth a word. */
export const compareTypes = (pair: SchemaPair, olds: ValueTypes, news: ValueTypes): boolean => {
  const [old, now] = [difference(olds, nullAlone), difference(news, nullAlone)];
  reportTypes(pair, old, now);
  // A schema without a type allows null with all the rest; saying so again would be noise.
  const isTold = typesText(olds) !== 'any' && typesText(news) !== 'any';
  if (isTold && olds.has('null') !== news.has('null')) {
    const [before, after] = [pair.old, pair.new].map(({ parts, document, pointer }) => {
      const part = parts.find(({ types }) => types?.includes('null')) ?? parts[0];
      return { pointer: part === undefined ? pointer : document.fieldOf(part, 'null') };
    });
    pair.report(news.has('null') ? 'nullable-added' : 'nullable-removed', before, after);
  }
  return old.size === 0 || now.size === 0 || commonTypes(old, now).size > 0;
};

/** Tells whether two schemas list the same values. */
export const haveSameValues = (old: MergedSchema, now: MergedSchema): boolean => {
  const [olds, news] = [enumOf(old), enumOf(now)];
  return olds?.size === news?.size && [...(olds?.keys() ?? [])].every((key) => news?.has(key));
};

/** Compares the listed values; where one schema lists none, another keyword may let no others through. */
export const compareEnums = (pair: SchemaPair): void => {
  const [olds, news] = [enumOf(pair.old), enumOf(pair.new)];
  if (olds && news) {
    for (const [before, after] of entryPairs(olds, news)) bothOf(pair, before, after, 'enum-value');
    return;
  }
  const listed = olds ?? news;
  const values = possibleValues(olds ? pair.new : pair.old);
  if (listed && values && [...values.keys()].every((key) => listed.has(key))) return;
  const [old, now] = [olds && keywordOf(pair.old, 'enum'), news && keywordOf(pair.new, 'enum')];
  bothOf(pair, old, now, 'enum');
};

/** Compares how great numbers, and how many characters, items and properties there may be. */
export const compareLimits = (pair: SchemaPair): void => {
  for (const kind of limitKinds) {
    if (!isOfKind(pair.old, kind) || !isOfKind(pair.new, kind)) continue;
    const [old, now] = [declaredLimit(pair.old, kind), declaredLimit(pair.new, kind)];
    const isStricter = now !== undefined && isLimitedBy(pair.old, kind, now);
    const isLooser = old !== undefined && isLimitedBy(pair.new, kind, old);
    const both = isStricter || isLooser ? bothOf(pair, old, now, kind.name) : undefined;
    const rule = isStricter === (kind.sense === 1) ? 'raised' : 'lowered';
    if (both) pair.report(`${kind.name}-${rule}`, ...both);
  }
};

/** Compares `multipleOf`. */
export const compareMultiples = (pair: SchemaPair): void => {
  const schemas = [pair.old, pair.new] as const;
  if (schemas.some(({ types }) => !types.has('integer'))) return;
  // Every multiple of 0.5 among the integers is an integer: such a keyword says nothing.
  const isIdleIn = (unit: DeclaredLimit) => (schema: MergedSchema) =>
    (!schema.types.has('fraction') && exactMultiple(unit.value)(1)) ||
    isIdle(unit, 'multipleOf', schema);
  const unitsOf = (schema: MergedSchema) =>
    limitsOf(schema, 'multipleOf').filter((unit) => !schemas.some(isIdleIn(unit)));
  const [olds, news] = [unitsOf(pair.old), unitsOf(pair.new)];
  const implied = (unit: DeclaredLimit, by: readonly DeclaredLimit[]): boolean =>
    by.some(({ value }) => exactMultiple(unit.value)(value));
  const added = news.find((unit) => !implied(unit, olds));
  const removed = olds.find((unit) => !implied(unit, news));
  const [old, now] = [removed ?? olds[0], added ?? news[0]];
  const isOne = added === undefined || removed === undefined;
  const both = (added ?? removed) ? bothOf(pair, old, now, 'multiple-of') : undefined;
  const change = added === undefined ? 'widened' : 'narrowed';
  if (both) pair.report(`multiple-of-${isOne ? change : 'changed'}`, ...both);
};

/**
 * Formats that say nothing of which values are allowed (OAS 3.0.3, Data Types), or what `contentEncoding` and
 * `contentMediaType` say; numbers of JSON are doubles to most readers.
 */
const silent = new Set(['password', 'double', 'byte', 'binary']);

/** Formats whose values are all among those of another one. */
const within: Readonly<Record<string, string>> = { int32: 'int64', uri: 'uri-reference' };

/** Formats of which it is settled what they allow. */
const settled =
  /^(?:decimal|int32|int64|float|date|date-time|email|uuid|uri|uri-reference|hostname|ipv4|ipv6|duration)$/;

const formatOf = (schema: MergedSchema): Keyword<string> | undefined =>
  keywordsOf(schema, 'format').find(({ value }) => !silent.has(value));

const ruleOfFormats = (old: string | undefined, now: string | undefined): DiffRuleId => {
  if ([old, now].some((name) => name !== undefined && !settled.test(name))) return 'format-unclear';
  if (old === undefined) return 'format-added';
  if (now === undefined) return 'format-removed';
  if (within[now] === old) return 'format-narrowed';
  return within[old] === now ? 'format-widened' : 'format-changed';
};

/** Compares `format`, which says nothing of values of other types. */
export const compareFormats = (pair: SchemaPair): void => {
  const [old, now] = [formatOf(pair.old), formatOf(pair.new)];
  const refuses = (format: Keyword<string> | undefined, other: MergedSchema): boolean => {
    if (format === undefined) return false;
    const isNumeric = /^(?:u?int\d+|float)$/.test(format.value);
    const types = isNumeric ? (['integer', 'fraction'] as const) : (['string'] as const);
    const concerns = types.some((type) => other.types.has(type));
    return concerns && !isInRange(other, format) && !isIdle(format, 'format', other);
  };
  if (old?.value === now?.value) return;
  const areNumbers = [pair.old, pair.new].every(({ types }) => types.has('fraction'));
  // Where every digit counts, programs hold texts in place of numbers.
  const isOther = areNumbers && [old, now].some((format) => format?.value === 'decimal');
  if (isOther) pair.report('type-changed', old, now);
  if (isOther || (!refuses(old, pair.new) && !refuses(now, pair.old))) return;
  pair.report(ruleOfFormats(old?.value, now?.value), old, now);
};

const patternsOf = (schema: MergedSchema): readonly Keyword<string>[] =>
  keywordsOf(schema, 'pattern').filter(({ value }) => !matchesAll.has(value));

/** Compares `pattern`. */
export const comparePatterns = (pair: SchemaPair): void => {
  if (!pair.old.types.has('string') || !pair.new.types.has('string')) return;
  const ownOf = (schema: MergedSchema, other: MergedSchema) => {
    const others = new Set(patternsOf(other).map(({ value }) => value));
    return patternsOf(schema).find(
      (pattern) => !others.has(pattern.value) && !isIdle(pattern, 'pattern', other),
    );
  };
  const [removed, added] = [ownOf(pair.old, pair.new), ownOf(pair.new, pair.old)];
  const both = bothOf(pair, removed, added, 'pattern');
  if (both) pair.report('pattern-changed', ...both);
};

/** Tells whether both schemas describe octets (OAS 3.1.2, Working with Binary Data). */
export const areOctets = ({ old, new: now, wire }: SchemaPair): boolean =>
  [old, now].every(
    ({ parts }) =>
      isBinary(parts) ||
      (wire.octets === 'whole' &&
        parts.every(({ types, contentEncoding }) => (types ?? contentEncoding) === undefined)),
  );

/** Compares what texts and octets hold: their encoding, and the media type and schema of what is encoded. */
export const compareContents = (pair: SchemaPair): void => {
  const { old, new: now } = pair;
  if (!old.types.has('string') || !now.types.has('string')) return;
  // A keyword may be said by `format`.
  const both = (keyword: 'contentEncoding' | 'contentMediaType') => {
    const [before, after] = [keywordOf(old, keyword), keywordOf(now, keyword)].map(
      (spot) => spot && { ...spot, text: spot.value, json: JSON.stringify(spot.value) },
    );
    return [before, after] as const;
  };
  const isChanged = ([before, after]: ReturnType<typeof both>): boolean =>
    before?.value.toLowerCase() !== after?.value.toLowerCase();
  const [encoding, mediaType] = [both('contentEncoding'), both('contentMediaType')];
  if (isChanged(encoding)) pair.report('content-encoding-changed', ...encoding);
  // OAS 3.0 has no keyword for the media type of bytes; another one may say it, too.
  const areBytes = areOctets(pair) || encoding.every((coding) => coding !== undefined);
  const isOpen = mediaType.some((spot) => !spot || spot.value === 'application/octet-stream');
  if (isChanged(mediaType) && !(areBytes && isOpen)) {
    pair.report('content-media-type-changed', ...mediaType);
  }
  const contentOf = (schema: MergedSchema): MergedSchema =>
    schema.merge(keywordsOf(schema, 'contentSchema').map(({ value }) => value));
  pair.compareParts(contentOf(old), contentOf(now), plainWire);
};
