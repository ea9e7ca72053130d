/** Compares the parameters of an operation: those of the path item and its own. */

import type { SourceObject, SourceObjects } from '../values/source-objects';
import {
  compareFlag,
  fieldSpot,
  isSet,
  type MessageComparison,
  spotOf,
} from './message-comparison';
import { compareWriting, isText, schemaOf } from './parameter-wire';

// Content-Type is described by `content`, Accept by the responses, Authorization by `security` (OAS 3.0.3, Parameter Object).
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization']);

/** Tells parameters from each other: the variables of a path by their order, headers whatever their case. */
const keyOf = ({ value }: SourceObject, variables: readonly string[]): string => {
  const [place, name] = [String(value['in']), String(value['name'])];
  const at = variables.indexOf(name);
  if (place === 'path' && at >= 0) return `path ${at}`;
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
};

const isIgnored = ({ value }: SourceObject): boolean =>
  value['in'] === 'header' && ignoredHeaders.has(String(value['name']).toLowerCase());

/** The names in a path template, in their order. */
const variablesOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);

/** The place of an operation. */
export interface OperationPlace {
  readonly path: string;
  readonly pathItem: SourceObject;
  readonly operation: SourceObject;
}

/** The parameters of an operation by what tells them apart; its own stand in place of the path item's. */
const parametersOf = (
  { path, pathItem, operation }: OperationPlace,
  source: SourceObjects,
): ReadonlyMap<string, SourceObject> => {
  const variables = variablesOf(path);
  return new Map(
    [pathItem, operation]
      .flatMap(({ value }) => source.items(value['parameters']))
      .filter((parameter) => !isIgnored(parameter))
      .map((parameter) => [keyOf(parameter, variables), parameter]),
  );
};

const nameOf = ({ value }: SourceObject): string => String(value['name']);

const isRequired = (parameter: SourceObject): boolean =>
  parameter.value['in'] === 'path' || isSet(parameter, 'required');

const compareRequired = (
  { report, sent }: MessageComparison,
  old: SourceObject,
  now: SourceObject,
): void => {
  const [was, is] = [isRequired(old), isRequired(now)];
  if (!was && is) report('parameter-became-required', sent, undefined, fieldSpot(now, 'required'));
  if (was && !is)
    report(
      'parameter-became-optional',
      sent,
      fieldSpot(old, 'required'),
      fieldSpot(now, 'required'),
    );
};

const compareParameter = (
  comparison: MessageComparison,
  old: SourceObject,
  now: SourceObject,
): void => {
  const { sent } = comparison;
  const both = [old, now] as const;
  compareRequired(comparison, old, now);
  compareFlag(comparison, both, 'allowReserved', sent, {
    set: 'parameter-reserved-allowed',
    unset: 'parameter-reserved-forbidden',
  });
  compareFlag(comparison, both, 'allowEmptyValue', sent, {
    set: 'parameter-empty-allowed',
    unset: 'parameter-empty-forbidden',
  });
  compareFlag(comparison, both, 'deprecated', sent, {
    set: 'parameter-deprecated',
    unset: 'parameter-reactivated',
  });
  const isComparable = compareWriting(comparison, both, String(now.value['in']), sent, {
    style: 'parameter-style-changed',
    explode: 'parameter-explode-changed',
    mediaType: 'parameter-media-type-changed',
  });
  if (!isComparable) return;
  const wire = { isText: isText(now), xml: undefined };
  comparison.compareSchemas(schemaOf(old), schemaOf(now), sent, wire);
};

/** Compares the parameters of an operation. */
export const compareParameters = (
  comparison: MessageComparison,
  old: OperationPlace,
  now: OperationPlace,
): void => {
  const { report, sent } = comparison;
  const olds = parametersOf(old, comparison.old);
  const news = parametersOf(now, comparison.new);
  for (const [key, parameter] of olds) {
    const next = news.get(key);
    if (next !== undefined) compareParameter(comparison, parameter, next);
    else report('parameter-removed', sent, spotOf(parameter, nameOf(parameter)), undefined);
  }
  for (const [key, parameter] of news) {
    if (olds.has(key)) continue;
    const rule = isRequired(parameter) ? 'required-parameter-added' : 'parameter-added';
    report(rule, sent, undefined, spotOf(parameter, nameOf(parameter)));
  }
};
