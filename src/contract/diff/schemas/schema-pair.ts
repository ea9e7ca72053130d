/** Two compared schemas: the old one and the new one. */

import { pointerTo } from '../../../base/json-pointer';
import type { Report, Spot } from '../rules/finding';
import type { DiffRuleId, Side } from '../rules/rules';
import { valueSpot } from '../values/value-text';
import type { MergedSchema, MergeSchemas } from './merged-schema';

/** The serialization of values, as far as it decides which changes matter: as text, and as elements of XML. */
export interface Wire {
  /** Parameters, headers and form fields: every scalar is written as text. */
  readonly isText: boolean;
  /** Undefined where XML does not carry the value. */
  readonly xml: XmlPlace | undefined;
}

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
export interface SchemaPair {
  readonly old: MergedSchema;
  readonly new: MergedSchema;
  readonly side: Side;
  readonly wire: Wire;
  readonly mergeOld: MergeSchemas;
  readonly mergeNew: MergeSchemas;
  readonly report: Report;
  /** Tells whether two lists of schemas say the same in the same words, so that nothing is to be compared. */
  haveSameText(old: readonly object[], now: readonly object[]): boolean;
  /** Compares parts of the two. */
  compareParts(old: MergedSchema, now: MergedSchema, wire?: Wire): void;
  /** Compares two parts without reporting the findings. */
  relationOf(old: MergedSchema, now: MergedSchema): Relation;
}

/** A keyword's value and where it stands. */
export interface Keyword extends Spot {
  readonly text: string;
  /** The schema that has it. */
  readonly holder: object;
}

/** Each occurrence of a keyword. */
export const keywordsOf = ({ parts }: MergedSchema, keyword: string): readonly Keyword[] =>
  parts
    .filter(({ value }) => value[keyword] !== undefined)
    .map(({ value, pointer }) =>
      Object.assign(valueSpot(value, keyword, pointerTo(pointer, keyword)), { holder: value }),
    );

/** The first occurrence; undefined where it is missing. */
export const keywordOf = (schema: MergedSchema, keyword: string): Keyword | undefined =>
  keywordsOf(schema, keyword)[0];

/** The occurrence that is true; undefined where none is. */
export const flagOf = (schema: MergedSchema, keyword: string): Keyword | undefined =>
  keywordsOf(schema, keyword).find(({ holder }) => Reflect.get(holder, keyword) === true);

/** The rules of something that only one of two schemas may have. */
interface PresenceRules {
  readonly added: DiffRuleId;
  readonly removed: DiffRuleId;
}

/** Reports what one of two schemas alone has. Gives the two where both have it. */
export const bothOf = <Place extends Spot>(
  { report }: SchemaPair,
  old: Place | undefined,
  now: Place | undefined,
  { added, removed }: PresenceRules,
): readonly [old: Place, now: Place] | undefined => {
  if (old && now) return [old, now];
  if (now) report(added, undefined, now);
  if (old) report(removed, old, undefined);
  return undefined;
};
