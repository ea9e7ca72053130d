/** Compares a parameter or a header: whether it is there, what its fields say, and how its values are written. */

import { parseMediaType } from '../../../base/media-type';
import type { Parameter } from '../../../model/operation';
import type { Schema } from '../../../model/schema';
import { bothOf, type PresenceRules, type Reporter } from '../rules/finding';
import type { DiffRuleId } from '../rules/rules';
import {
  compareFlags,
  type Flag,
  fieldSpot,
  type SideComparison,
  spotOf,
} from './message-comparison';

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

/** The rules of parameters, or of headers. */
export interface ParameterRules {
  /** Of optional and required ones that have come or gone. */
  readonly optional: PresenceRules;
  readonly required: PresenceRules;
  readonly flags: readonly Flag<'required' | 'allowReserved' | 'allowEmptyValue' | 'deprecated'>[];
  readonly style: DiffRuleId;
  readonly explode: DiffRuleId;
  readonly mediaType: DiffRuleId;
}

/** Compares how values are written: by `style` and `explode`, and split at commas. */
const compareStyles = (
  { report }: Reporter,
  old: Parameter,
  now: Parameter,
  rules: ParameterRules,
): void => {
  const compare = (
    rule: DiffRuleId,
    name: 'style' | 'explode' | 'commaSeparated',
    field: string = name,
  ): void => {
    if (old[name] === now[name]) return;
    report(rule, fieldSpot(old, field, old[name]), fieldSpot(now, field, now[name]));
  };
  const isSplit = !isPlain(ownSchema(old)) && !isPlain(ownSchema(now));
  if (old.style !== now.style) compare(rules.style, 'style');
  else if (isSplit) compare(rules.explode, 'explode');
  compare('parameter-splitting-changed', 'commaSeparated', 'x-comma-separated');
};

/** Compares how the values are written, and the values, unless they are written in media types of which the schemas say little. */
const compareValues = (
  comparison: SideComparison,
  old: Parameter,
  now: Parameter,
  rules: ParameterRules,
): void => {
  const [was, is] = [mediaTypeOf(old), mediaTypeOf(now)];
  if (was !== is) {
    const [text, other] = [was ?? 'no media type', is ?? 'no media type'];
    comparison.report(rules.mediaType, spotOf(old, text), spotOf(now, other));
    return;
  }
  if (is === undefined) compareStyles(comparison, old, now, rules);
  const isText =
    is === undefined || /^(?:application\/x-www-form-urlencoded|text\/plain)$/.test(is);
  comparison.compareSchemas(ownSchema(old), ownSchema(now), { isText, xml: undefined });
};

/** Compares two parameters or headers, of which one may be missing. */
export const compareParameter = (
  comparison: SideComparison,
  old: Parameter | undefined,
  now: Parameter | undefined,
  rules: ParameterRules,
): void => {
  if (old && now) {
    compareFlags(comparison, old, now, ...rules.flags);
    compareValues(comparison, old, now, rules);
    return;
  }
  const spot = (one: Parameter | undefined) => one && spotOf(one, one.name);
  const presence = (old ?? now)?.required ? rules.required : rules.optional;
  bothOf(comparison, spot(old), spot(now), presence);
};
