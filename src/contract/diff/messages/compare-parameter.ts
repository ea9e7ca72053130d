/** Compares a parameter or a header, of a response or a part: whether it is there, what its fields say, and how its values are written. */

import { parseMediaType } from '../../../base/media-type';
import type { Parameter } from '../../../model/operation';
import type { Schema } from '../../../model/schema';
import { bothOf, entryPairs, type PresenceRules } from '../rules/finding';
import type { DiffRuleId } from '../rules/rules';
import {
  compareFlags,
  type Flag,
  fieldSpot,
  type SideComparison,
  spotOf,
} from './message-comparison';

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

/** Tells whether all values are scalars, for which `explode` makes no difference. */
const isPlain = ({ types = [] }: Schema): boolean =>
  types.length > 0 &&
  types.every((type) => ['string', 'integer', 'number', 'boolean', 'null'].includes(type));

/** Compares two parameters or headers, of which one may be missing. */
export const compareParameter = (
  comparison: SideComparison,
  old: Parameter | undefined,
  now: Parameter | undefined,
  rules: ParameterRules,
): void => {
  const { report } = comparison;
  if (old === undefined || now === undefined) {
    const spot = (lone: Parameter | undefined) => lone && spotOf(lone, lone.name);
    const presence = (old ?? now)?.required ? rules.required : rules.optional;
    bothOf(comparison, spot(old), spot(now), presence);
    return;
  }
  compareFlags(comparison, old, now, ...rules.flags);
  const [oldType, newType] = [mediaTypeOf(old), mediaTypeOf(now)];
  // The schemas say little of values that are written in media types.
  if (oldType !== newType) {
    const none = 'no media type';
    report(rules.mediaType, spotOf(old, oldType ?? none), spotOf(now, newType ?? none));
    return;
  }
  const [oldSchema, newSchema] = [ownSchema(old), ownSchema(now)];
  const compareField = (
    rule: DiffRuleId,
    name: 'style' | 'explode' | 'commaSeparated',
    field: string = name,
  ): void => {
    if (old[name] === now[name]) return;
    report(rule, fieldSpot(old, field, old[name]), fieldSpot(now, field, now[name]));
  };
  if (newType === undefined) {
    if (old.style !== now.style) compareField(rules.style, 'style');
    else if (!isPlain(oldSchema) && !isPlain(newSchema)) compareField(rules.explode, 'explode');
    compareField('parameter-splitting-changed', 'commaSeparated', 'x-comma-separated');
  }
  const isText =
    newType === undefined || /^(?:application\/x-www-form-urlencoded|text\/plain)$/.test(newType);
  comparison.compareSchemas(oldSchema, newSchema, { isText, xml: undefined });
};

/** The rules of a response's headers. */
export const headerRules: ParameterRules = {
  optional: 'header',
  required: 'required-header',
  flags: [
    ['required', 'header-became-required', 'header-became-optional'],
    ['deprecated', 'header-deprecated', 'header-reactivated'],
  ],
  style: 'header-style-changed',
  explode: 'header-style-changed',
  mediaType: 'header-style-changed',
};

/** Compares the headers of two objects. */
export const compareHeaders = (
  comparison: SideComparison,
  old: readonly Parameter[] = [],
  now: readonly Parameter[] = [],
  rules = headerRules,
): void => {
  const byName = (headers: readonly Parameter[]): ReadonlyMap<string, Parameter> =>
    new Map(headers.map((header) => [header.name.toLowerCase(), header]));
  for (const both of entryPairs(byName(old), byName(now))) {
    compareParameter(comparison, ...both, rules);
  }
};
