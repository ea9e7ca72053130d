/** JSON Pointers (RFC 6901) into documents and bodies. */

import { attempt } from './recover';

/** Adds a step to a pointer. */
export const pointerTo = (pointer: string, step: string | number): string =>
  `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Splits a pointer into its steps, such as `/paths/~1pet/get`; the empty pointer has none. */
export const pointerSteps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Joins steps to a pointer. */
export const pointerOf = (steps: readonly (string | number)[]): string =>
  steps.reduce<string>(pointerTo, '');

/** Returns the value under a pointer; undefined where it leads nowhere. */
export const valueAt = (root: unknown, pointer: string): unknown => {
  let value = root;
  for (const step of pointerSteps(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
};

/**
 * Reads the pointer in a URI's fragment (RFC 6901 section 6); undefined where it is not a pointer. A missing slash at the
 * beginning of a path is added.
 */
export const pointerOfFragment = (fragment: string): string | undefined => {
  const pointer = attempt(() => decodeURIComponent(fragment));
  if (!pointer || pointer.startsWith('/')) return pointer;
  return pointer.includes('/') ? `/${pointer}` : undefined;
};

/** Writes a pointer as the fragment of a URI. */
export const fragmentOf = (pointer: string): string =>
  encodeURIComponent(pointer).replaceAll('%2F', '/');
