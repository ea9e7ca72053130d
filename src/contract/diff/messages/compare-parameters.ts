/** Compares the parameters of an operation. */

import type { Operation, Parameter } from '../../../model/operation';
import { entryPairs } from '../rules/finding';
import { compareEncodings } from './compare-encodings';
import {
  compareFlag,
  fieldSpot,
  isBroken,
  type MessageComparison,
  reportLone,
} from './message-comparison';
import { compareValues, mediaTypeOf } from './parameter-wire';

/** The names in a path template, in their order. */
const variablesOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);

/** Tells parameters from each other: the variables of a path by their order, headers whatever their case. */
const parametersOf = ({ path, parameters }: Operation): ReadonlyMap<string, Parameter> => {
  const variables = variablesOf(path);
  const keyOf = ({ in: place, name }: Parameter): string => {
    if (place === 'path') return `path ${variables.indexOf(name)}`;
    // It has no name in a request.
    if (place === 'querystring') return place;
    return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
  };
  return new Map(parameters.map((parameter) => [keyOf(parameter), parameter]));
};

const compareRequired = (
  { report, sent }: MessageComparison,
  old: Parameter,
  now: Parameter,
): void => {
  const spot = fieldSpot(now, 'required');
  if (!old.required && now.required) report('parameter-became-required', sent, undefined, spot);
  if (old.required && !now.required) {
    report('parameter-became-optional', sent, fieldSpot(old, 'required'), spot);
  }
};

const compareParameter = (comparison: MessageComparison, old: Parameter, now: Parameter): void => {
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
  compareValues(comparison, both, sent, {
    style: 'parameter-style-changed',
    explode: 'parameter-explode-changed',
    mediaType: 'parameter-media-type-changed',
  });
  const is = mediaTypeOf(now);
  if (is !== undefined && is === mediaTypeOf(old)) compareEncodings(comparison, both, is, sent);
};

const presenceRules = {
  optional: { added: 'parameter-added', removed: 'parameter-removed' },
  required: { added: 'required-parameter-added', removed: 'parameter-removed' },
} as const;

/** Compares the parameters of an operation. */
export const compareParameters = (
  comparison: MessageComparison,
  old: Operation,
  now: Operation,
): void => {
  for (const [was, is] of entryPairs(parametersOf(old), parametersOf(now))) {
    if (was && is) compareParameter(comparison, was, is);
    else if (!isBroken(is ? old : now, 'parameters'))
      reportLone(comparison, comparison.sent, [was, is], presenceRules);
  }
};
