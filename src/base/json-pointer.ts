/** JSON Pointers (RFC 6901), by which documents and bodies are pointed into. */

/** A pointer one step further. */
export const pointerTo = (pointer: string, step: string | number): string =>
  `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The steps of a pointer such as `/paths/~1pet/get`; the empty pointer has none. */
export const pointerSteps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The pointer that the steps make. */
export const pointerOf = (steps: readonly (string | number)[]): string =>
  steps.reduce<string>(pointerTo, '');

/** What the pointer leads to; undefined where it leads nowhere. */
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
 * The pointer that a URI's fragment spells (RFC 6901 section 6); undefined where it spells none. A slash that is missing at
 * the beginning of a path is taken to be there.
 */
export const pointerOfFragment = (fragment: string): string | undefined => {
  try {
    const pointer = decodeURIComponent(fragment);
    if (pointer === '' || pointer.startsWith('/')) return pointer;
    return pointer.includes('/') ? `/${pointer}` : undefined;
  } catch {
    return undefined;
  }
};

/** The fragment that spells a pointer. */
export const fragmentOf = (pointer: string): string =>
  encodeURIComponent(pointer).replaceAll('%2F', '/');
