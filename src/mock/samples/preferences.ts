/** The preferences of a caller that mocks know (RFC 7240): the status, and the example of the answer. */

import type { IncomingHttpHeaders } from 'node:http';

/** The answer that a caller prefers; undefined members are left to the mock. */
export interface Preferences {
  readonly code?: number | undefined;
  /** The name of an example. */
  readonly example?: string | undefined;
}

const token = "[\\w!#$%&'*+.^`|~-]+";
const preference = new RegExp(
  `(?:^|[,;])\\s*(${token})(?:\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s",;]+)))?\\s*(?=[,;]|$)`,
  'g',
);

/**
 * Reads the preferences; undefined where there are none. Unknown and malformed ones are ignored, and of several of one name the first
 * counts.
 */
export const preferencesIn = ({ prefer }: IncomingHttpHeaders): Preferences | undefined => {
  if (prefer === undefined) return undefined;
  const given = new Map<string, string>();
  for (const [, name = '', quoted, word = ''] of [prefer].flat().join(', ').matchAll(preference)) {
    const key = name.toLowerCase();
    if (!given.has(key)) given.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? word);
  }
  // A 1xx is no final response.
  const [code] = /^[2-5]\d\d$/.exec(given.get('code') ?? '') ?? [];
  const example = given.get('example') || undefined;
  const isAsked = code !== undefined || example !== undefined;
  return isAsked ? { code: code === undefined ? code : Number(code), example } : undefined;
};

/** Writes the header that says which preferences were followed. */
export const preferenceApplied = ({ code, example }: Preferences): Record<string, string> => {
  const isToken = new RegExp(`^${token}$`).test(example ?? '');
  const applied = [
    ...(code === undefined ? [] : [`code=${code}`]),
    ...(example === undefined ? [] : [`example=${isToken ? example : JSON.stringify(example)}`]),
  ];
  return applied.length === 0 ? {} : { 'Preference-Applied': applied.join(', '), Vary: 'Prefer' };
};
