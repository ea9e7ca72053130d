/** Compares the parameters of an operation. */

import type { Operation, Parameter } from '../../../model/operation';
import { compareFlag, fieldSpot, type MessageComparison, spotOf } from './message-comparison';
import { compareValues } from './parameter-wire';

/** The names in a path template, in their order. */
const variablesOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);

/** Tells parameters from each other: the variables of a path by their order, headers whatever their case. */
const parametersOf = ({ path, parameters }: Operation): ReadonlyMap<string, Parameter> => {
  const variables = variablesOf(path);
  const keyOf = ({ in: place, name }: Parameter): string => {
    if (place === 'path') return `path ${variables.indexOf(name)}`;
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
};

/** Compares the parameters of an operation. */
export const compareParameters = (
  comparison: MessageComparison,
  old: Operation,
  now: Operation,
): void => {
  const { report, sent } = comparison;
  const [olds, news] = [parametersOf(old), parametersOf(now)];
  for (const [key, parameter] of olds) {
    const next = news.get(key);
    if (next !== undefined) compareParameter(comparison, parameter, next);
    else report('parameter-removed', sent, spotOf(parameter, parameter.name), undefined);
  }
  for (const [key, parameter] of news) {
    if (olds.has(key)) continue;
    const rule = parameter.required ? 'required-parameter-added' : 'parameter-added';
    report(rule, sent, undefined, spotOf(parameter, parameter.name));
  }
};
