/** Compares the parameters of an operation. */

import type { Operation, Parameter } from '../../../model/operation';
import { entryPairs } from '../rules/finding';
import { compareEncodings } from './compare-encodings';
import { compareParameter, mediaTypeOf, type ParameterRules } from './compare-parameter';
import { isBroken, type MessageComparison } from './message-comparison';

/** Tells parameters from each other: the variables of a path by their order, headers whatever their case. */
const parametersOf = ({ path, parameters }: Operation): ReadonlyMap<string, Parameter> => {
  const variables = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
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

/** Compares the parameters of an operation. */
export const compareParameters = (
  { sent }: MessageComparison,
  old: Operation,
  now: Operation,
): void => {
  for (const [was, is] of entryPairs(parametersOf(old), parametersOf(now))) {
    const isKnown = (was && is) || !isBroken(is ? old : now, 'parameters');
    if (isKnown) compareParameter(sent, was, is, rules);
    const mediaType = is && mediaTypeOf(is);
    // The fields of a query string or parameter that is a form have encodings.
    if (was && is && mediaType !== undefined && mediaType === mediaTypeOf(was)) {
      compareEncodings(sent, was, is, mediaType);
    }
  }
};
