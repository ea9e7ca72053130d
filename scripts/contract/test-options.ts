/** Reads the options of `contract test`. */

import { InvalidArgumentError } from 'commander';
import type { Credential } from '../../src/contract';

/** A whole number. */
export const number = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
};

/** From 0 to 100. */
export const percent = (text: string): number => {
  const value = Number(text);
  if (text !== '' && value >= 0 && value <= 100) return value;
  throw new InvalidArgumentError('It must be a number from 0 to 100.');
};

/** For an option that may stand several times. */
export const add =
  <Value>(parse: (text: string) => Value) =>
  (text: string, all: readonly Value[]) => [...all, parse(text)];

/** `SCHEME=VALUE`, or `SCHEME[scope,scope]=VALUE` for a credential that has these scopes alone. */
export const credential = (text: string): Credential => {
  const [, scheme, scopes, value] = /^([^=[\]]+)(?:\[([^\]]*)\])?=(.+)$/s.exec(text) ?? [];
  if (scheme === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be SCHEME=VALUE or SCHEME[SCOPE,SCOPE]=VALUE.');
  }
  const listed = scopes?.split(/[\s,]+/).filter((scope) => scope !== '');
  return { scheme, scopes: listed, value };
};

/** `NAME: VALUE`. */
export const header = (text: string): readonly [string, string] => {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\r\n]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be "NAME: VALUE".');
  }
  return [name, value];
};
