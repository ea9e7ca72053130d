/** The serialization of a parameter or header, as far as it makes a difference to its values. */

import { parseMediaType } from '../../../base/media-type';
import { isPlainObject } from '../../../base/plain-object';
import type { DiffRuleId, Side } from '../rules/rules';
import type { SourceObject, SourceObjects } from '../values/source-objects';
import { fieldSpot, type MessageComparison, spotOf } from './message-comparison';

const defaultStyles: Readonly<Record<string, string>> = {
  query: 'form',
  cookie: 'form',
  path: 'simple',
  header: 'simple',
};

interface Writing {
  readonly style: string;
  /** Undefined where nothing is to be split. */
  readonly explode: boolean | undefined;
  /** Undefined where a schema says it all. */
  readonly mediaType: string | undefined;
  readonly isCommaSeparated: boolean;
}

/** The one entry of `content`; undefined where there is a schema. */
const contentOf = ({ value }: SourceObject): readonly [string, unknown] | undefined =>
  isPlainObject(value['content']) ? Object.entries(value['content'])[0] : undefined;

/** The schema of the values. */
export const schemaOf = (object: SourceObject): unknown => {
  const [, content] = contentOf(object) ?? [];
  return isPlainObject(content) ? content['schema'] : object.value['schema'];
};

const plainTypes = new Set(['string', 'integer', 'number', 'boolean']);

/** Tells whether the schema names a type without members. */
const isPlain = (object: SourceObject, source: SourceObjects): boolean => {
  const schema = source.find(schemaOf(object));
  const type = schema?.value['type'];
  return typeof type === 'string' && plainTypes.has(type);
};

const writingOf = (object: SourceObject, place: string, source: SourceObjects): Writing => {
  const { value } = object;
  const [mediaType] = contentOf(object) ?? [];
  const style = String(value['style'] ?? defaultStyles[place] ?? 'form');
  const explode = typeof value['explode'] === 'boolean' ? value['explode'] : style === 'form';
  return {
    style,
    explode: isPlain(object, source) ? undefined : explode,
    mediaType: mediaType && (parseMediaType(mediaType)?.essence ?? mediaType),
    isCommaSeparated: value['x-comma-separated'] === true,
  };
};

/** The rules of one kind of objects. */
interface WritingRules {
  readonly style: DiffRuleId;
  readonly explode: DiffRuleId;
  readonly mediaType: DiffRuleId;
}

/** Compares how the values are written; false where they are written in different ways, so that their schemas say little. */
export const compareWriting = (
  comparison: MessageComparison,
  [old, now]: readonly [SourceObject, SourceObject],
  place: string,
  side: Side,
  rules: WritingRules,
): boolean => {
  const was = writingOf(old, place, comparison.old);
  const is = writingOf(now, place, comparison.new);
  const report = (
    rule: DiffRuleId,
    field: string,
    before: string | boolean,
    after: string | boolean,
  ): void =>
    comparison.report(rule, side, fieldSpot(old, field, before), fieldSpot(now, field, after));
  if (was.mediaType !== is.mediaType) {
    const [text, other] = [was.mediaType ?? 'no media type', is.mediaType ?? 'no media type'];
    comparison.report(rules.mediaType, side, spotOf(old, text), spotOf(now, other));
    return false;
  }
  if (was.mediaType !== undefined) return true;
  if (was.style !== is.style) report(rules.style, 'style', was.style, is.style);
  else if (was.explode !== undefined && is.explode !== undefined && was.explode !== is.explode) {
    report(rules.explode, 'explode', was.explode, is.explode);
  }
  if (was.isCommaSeparated !== is.isCommaSeparated) {
    const field = 'x-comma-separated';
    report('parameter-splitting-changed', field, was.isCommaSeparated, is.isCommaSeparated);
  }
  return true;
};

/** Tells whether the values are written as text, not in a media type. */
export const isText = (object: SourceObject): boolean => contentOf(object) === undefined;
