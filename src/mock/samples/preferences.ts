/** The preferences of a caller that mocks know (RFC 7240): the status and the example of the answer, and how long it may take. */

import type { IncomingHttpHeaders } from 'node:http';

/** The answer that a caller prefers; undefined members are left to the mock. */
export interface Preferences {
  readonly code?: number | undefined;
  /** The name of an example. */
  readonly example?: string | undefined;
  /** The most seconds that the caller waits (section 4.3). */
  readonly wait?: number | undefined;
}

const token = "[\\w!#$%&'*+.^`|~-]+";
const preference = new RegExp(
  `(?:^|[,;])\\s*(${token})(?:\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s",;]+)))?\\s*(?=[,;]|$)`,
  'g',
);

/** Reads the preferences. Unknown and malformed ones are ignored, and of several of one name the first counts. */
export const preferencesIn = ({ prefer }: IncomingHttpHeaders): Preferences => {
  if (prefer === undefined) return {};
  const given = new Map<string, string>();
  for (const [, name = '', quoted, word = ''] of [prefer].flat().join(', ').matchAll(preference)) {
    const key = name.toLowerCase();
    if (!given.has(key)) given.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? word);
  }
  const numberIn = (name: string, form: RegExp): number | undefined => {
    const text = given.get(name) ?? '';
    return form.test(text) ? Number(text) : undefined;
  };
  return {
    // A 1xx is no final response.
    code: numberIn('code', /^[2-5]\d\d$/),
    example: given.get('example') || undefined,
    wait: numberIn('wait', /^\d{1,9}$/),
  };
};

/** Writes the header that says which preferences were followed. */
export const preferenceApplied = ({ code, example, wait }: Preferences): Record<string, string> => {
  const isToken = new RegExp(`^${token}$`).test(example ?? '');
  const applied = [
    ...(code === undefined ? [] : [`code=${code}`]),
    ...(example === undefined ? [] : [`example=${isToken ? example : JSON.stringify(example)}`]),
    ...(wait === undefined ? [] : [`wait=${wait}`]),
  ];
  return applied.length === 0 ? {} : { 'Preference-Applied': applied.join(', '), Vary: 'Prefer' };
};
