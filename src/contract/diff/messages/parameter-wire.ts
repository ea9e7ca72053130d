/** The serialization of a parameter or header, as far as it makes a difference to its values. */

import { parseMediaType } from '../../../base/media-type';
import type { Parameter } from '../../../model/operation';
import type { Schema } from '../../../model/schema';
import type { DiffRuleId, Side } from '../rules/rules';
import { fieldSpot, type MessageComparison, spotOf } from './message-comparison';

const plainTypes: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

/** Tells whether the schema names types without members alone. */
const isPlain = ({ types = [] }: Schema): boolean =>
  types.length > 0 && types.every((type) => plainTypes.has(type) || type === 'null');

/** The schema of one of the values that commas separate, where that stands in the document. */
const ownSchema = ({ schema }: Parameter): Schema =>
  schema.items?.pointer === schema.pointer ? schema.items : schema;

/** Gives the media type without its parameters; undefined where a schema says it all. */
export const mediaTypeOf = ({ mediaType }: Parameter): string | undefined =>
  mediaType && (parseMediaType(mediaType)?.essence ?? mediaType);

/** The rules of one kind of objects. */
interface WritingRules {
  readonly style: DiffRuleId;
  readonly explode: DiffRuleId;
  readonly mediaType: DiffRuleId;
}

/** Compares how values are written: by `style` and `explode`, and split at commas. */
const compareStyles = (
  comparison: MessageComparison,
  [old, now]: readonly [Parameter, Parameter],
  side: Side,
  rules: WritingRules,
): void => {
  const report = (
    rule: DiffRuleId,
    field: string,
    was: string | boolean,
    is: string | boolean,
  ): void => comparison.report(rule, side, fieldSpot(old, field, was), fieldSpot(now, field, is));
  const isSplit = !isPlain(ownSchema(old)) && !isPlain(ownSchema(now));
  if (old.style !== now.style) report(rules.style, 'style', old.style, now.style);
  else if (isSplit && old.explode !== now.explode) {
    report(rules.explode, 'explode', old.explode, now.explode);
  }
  if (old.commaSeparated !== now.commaSeparated) {
    const field = 'x-comma-separated';
    report('parameter-splitting-changed', field, old.commaSeparated, now.commaSeparated);
  }
};

/** Compares how the values are written, and the values, unless they are written in media types of which the schemas say little. */
export const compareValues = (
  comparison: MessageComparison,
  [old, now]: readonly [Parameter, Parameter],
  side: Side,
  rules: WritingRules,
): void => {
  const [was, is] = [mediaTypeOf(old), mediaTypeOf(now)];
  if (was !== is) {
    const [text, other] = [was ?? 'no media type', is ?? 'no media type'];
    comparison.report(rules.mediaType, side, spotOf(old, text), spotOf(now, other));
    return;
  }
  if (is === undefined) compareStyles(comparison, [old, now], side, rules);
  const isText =
    is === undefined || /^(?:application\/x-www-form-urlencoded|text\/plain)$/.test(is);
  comparison.compareSchemas(ownSchema(old), ownSchema(now), side, { isText, xml: undefined });
};
