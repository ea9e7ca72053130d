/** Compares the parameters of an operation. */

import type { Operation, Parameter } from '../../../model/operation';
import { entryPairs } from '../rules/finding';
import { compareEncodings } from './compare-encodings';
import { compareParameter, mediaTypeOf, type ParameterRules } from './compare-parameter';
import { isBroken, type MessageComparison, type SideComparison } from './message-comparison';

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

const rules: ParameterRules = {
  optional: 'parameter',
  required: { added: 'required-parameter-added', removed: 'parameter-removed' },
  flags: [
    ['required', 'parameter-became-required', 'parameter-became-optional'],
    ['allowReserved', 'parameter-reserved-allowed', 'parameter-reserved-forbidden'],
    ['allowEmptyValue', 'parameter-empty-allowed', 'parameter-empty-forbidden'],
    ['deprecated', 'parameter-deprecated', 'parameter-reactivated'],
  ],
  style: 'parameter-style-changed',
  explode: 'parameter-explode-changed',
  mediaType: 'parameter-media-type-changed',
};

/** Compares how the fields of a query string or parameter that is a form are written. */
const compareForms = (comparison: SideComparison, old: Parameter, now: Parameter): void => {
  const mediaType = mediaTypeOf(now);
  if (mediaType === undefined || mediaType !== mediaTypeOf(old)) return;
  compareEncodings(comparison, old, now, mediaType);
};

/** Compares the parameters of an operation. */
export const compareParameters = (
  { sent }: MessageComparison,
  old: Operation,
  now: Operation,
): void => {
  for (const [was, is] of entryPairs(parametersOf(old), parametersOf(now))) {
    const isKnown = (was && is) || !isBroken(is ? old : now, 'parameters');
    if (isKnown) compareParameter(sent, was, is, rules);
    if (was && is) compareForms(sent, was, is);
  }
};
