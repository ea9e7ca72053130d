/** Two compared schemas: the old one and the new one. */

import type { LoadedDocument } from '../../../document/document';
import type { Schema } from '../../../model/schema';
import { bothOf, type PresenceRules, type Reporter, type Spot } from '../rules/finding';
import type { Side } from '../rules/rules';
import type { MergedSchema } from './merged-schema';

/** The serialization of values, as far as it decides which changes matter: as text, and as elements of XML. */
export interface Wire {
  /** Parameters, headers and form fields: every scalar is written as text. */
  readonly isText: boolean;
  /** Undefined where XML does not carry the value. */
  readonly xml: XmlPlace | undefined;
  /** Set where a value without a type is octets (OAS 3.1.2, Working with Binary Data): the whole, or each part of it. */
  readonly octets?: 'whole' | 'parts' | undefined;
}

/** The serialization as JSON. */
export const plainWire: Wire = { isText: false, xml: undefined };

/** The place of a value in XML. */
export interface XmlPlace {
  /** The names of an element that its schemas do not name, before and after. */
  readonly old: string;
  readonly new: string;
  /** True for a property, which may be an attribute. */
  readonly isProperty: boolean;
}

/** The relation of two sets of values on one side; `same`: there is not even a harmless change. */
export type Relation = 'same' | 'equal' | 'fits' | 'unclear' | 'breaks';

/** Two compared schemas, as the comparisons of single keywords see them. */
export interface SchemaPair extends Reporter {
  readonly old: MergedSchema;
  readonly new: MergedSchema;
  readonly side: Side;
  readonly wire: Wire;
  /** Tells whether two lists of schemas say the same in the same words, so that nothing is to be compared. */
  areSame(old: readonly Schema[], now: readonly Schema[]): boolean;
  /** Compares parts of the two. */
  compareParts(old: MergedSchema, now: MergedSchema, wire?: Wire): void;
  /** Compares two parts without reporting the findings. */
  relationOf(old: MergedSchema, now: MergedSchema): Relation;
}

/** Tells whether two parts are the same set of values. */
export const isEqual = (pair: SchemaPair, old: MergedSchema, now: MergedSchema): boolean =>
  ['same', 'equal'].includes(pair.relationOf(old, now));

/** Tells whether the messages of one part are surely among those of the other. */
export const isWithin = (pair: SchemaPair, old: MergedSchema, now: MergedSchema): boolean =>
  ['same', 'equal', 'fits'].includes(pair.relationOf(old, now));

/** Reports what one schema alone says, unless that is idle: it refuses no value of the other. Gives the two where both say it. */
export const bothUnlessIdle = <Place extends Spot>(
  pair: SchemaPair,
  [old, now]: readonly [old: Place | undefined, now: Place | undefined],
  rules: PresenceRules,
  isIdle: (place: Place, own: MergedSchema, other: MergedSchema) => boolean,
): readonly [old: Place, now: Place] | undefined => {
  if (old && !now && isIdle(old, pair.old, pair.new)) return undefined;
  if (now && !old && isIdle(now, pair.new, pair.old)) return undefined;
  return bothOf(pair, old, now, rules);
};

/** Longer texts are cut. */
const LONGEST = 200;

/** Gives a value as a place; its text is cut where it is long. Values may be large, and are written when they are read. */
export const valueSpot = (document: LoadedDocument, pointer: string): Spot => ({
  pointer,
  get json() {
    return document.spelledAt(pointer)?.text;
  },
  get text() {
    const json = document.spelledAt(pointer)?.text;
    return json !== undefined && json.length > LONGEST ? `${json.slice(0, LONGEST)}…` : json;
  },
});

/** A keyword's value and where it stands. */
export interface Keyword<Value = unknown> extends Spot {
  /** The schema that has it. */
  readonly part: Schema;
  readonly value: Value;
}

/** Each occurrence of a keyword. */
export const keywordsOf = <Name extends keyof Schema>(
  { parts, document }: MergedSchema,
  keyword: Name,
): readonly Keyword<NonNullable<Schema[Name]>>[] =>
  parts.flatMap((part) => {
    const value = part[keyword];
    if (value === undefined || value === null || value === false) return [];
    const spot = valueSpot(document, document.fieldOf(part, keyword));
    return [Object.assign(spot, { part, value })];
  });

/** The first occurrence; undefined where it is missing. A flag that is false is missing. */
export const keywordOf = <Name extends keyof Schema>(
  schema: MergedSchema,
  keyword: Name,
): Keyword<NonNullable<Schema[Name]>> | undefined => keywordsOf(schema, keyword)[0];
