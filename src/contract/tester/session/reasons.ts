/** Why something that a document declares was not reached. */

import type { SecurityKind } from '../test-report';
import type { FieldCounts } from './fields';

/** What no request of a client brings about. */
export const unprovoked = (key: string): string | undefined => {
  if (/^5/.test(key)) return 'no request brings a sound server to it';
  if (key === '429') return 'it takes more requests than a test sends';
  return key === '413' ? 'it takes a larger body than a test sends' : undefined;
};

/** Why a status never came. */
export const reasonFor = (key: string, works: boolean): string => {
  if (!works) return 'no valid request succeeded';
  if (key === 'default') return 'every answer had a status of its own';
  if (key === '401' || key === '403') return 'no request without the right credential brought it';
  return key.startsWith('4') ? 'no wrong request brought it' : 'no valid request brought it';
};

/** Why values of a field are missing; undefined where none are. */
export const fieldReason = (
  { valid, invalid, refused, hasInvalid }: FieldCounts,
  works: boolean,
): string | undefined => {
  if (valid === 0) return 'no valid value was sent';
  if (!hasInvalid) return 'every value that can be sent is valid';
  if (!works) return 'no valid request succeeded';
  return invalid > 0 && refused === 0 ? 'no invalid value was refused' : undefined;
};

/** Why a kind of credential was not tried. */
export const securityReason = (kind: SecurityKind, isRefused: boolean): string => {
  if (kind === 'right' && isRefused) return 'no valid request succeeded';
  if (kind === 'too-few-scopes') return 'no credential with fewer scopes was given';
  if (kind === 'right') return 'no credential for it was given';
  return kind === 'wrong-place'
    ? 'no credential was given that could be misplaced'
    : 'a request without credentials is let in';
};
