/** Finds settings in the environment, where the file of NAME_FILE may hold a secret NAME, and notes where each came from. */

import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { nearestName } from '../../base/text/nearest-name';
import { errorFacts } from '../../storage/sql/dialect';
import type { Parse } from './config-values';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that is in force, as it may be shown. */
export interface Setting {
  readonly variable: string;
  /** Undefined: none. Of a secret it says no more than that it is set. */
  readonly value: string | undefined;
  /** `default`, `default in production`, `environment`, or `file PATH`. */
  readonly source: string;
}

/** The text of a setting, or what is wrong with it: a sentence after its name. */
type Given = { readonly source: string } & (
  | { readonly text: string }
  | { readonly problem: string }
);

const mostBytes = 64 * 1024;

/** Reads a file, which may be a pipe, up to one byte more than a value may have. */
const readStart = (path: string): Uint8Array => {
  const file = openSync(path, 'r');
  try {
    const bytes = new Uint8Array(mostBytes + 1);
    let length = 0;
    let count: number;
    do {
      count = readSync(file, bytes, length, bytes.length - length, null);
      length += count;
    } while (count > 0);
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
};

/** Reads a value, without the line end behind it. */
const contentOf = (path: string): { readonly text: string } | { readonly problem: string } => {
  let bytes: Uint8Array;
  try {
    bytes = readStart(path);
  } catch (error) {
    return { problem: `cannot be read (${errorFacts(error).code})` };
  }
  if (bytes.length > mostBytes) return { problem: 'has more than 64 KiB' };
  if (!isUtf8(bytes)) return { problem: 'is not UTF-8' };
  const text = new TextDecoder().decode(bytes).replace(/\r?\n$/, '');
  return text === '' ? { problem: 'is empty' } : { text };
};

const givenIn = (environment: Environment, name: string): Given | undefined => {
  const text = environment[name];
  return text === undefined ? undefined : { source: 'environment', text };
};

/** Finds a secret in the environment; undefined where neither NAME nor NAME_FILE is set. */
export const secretIn = (environment: Environment, name: string): Given | undefined => {
  const text = environment[name];
  const path = environment[`${name}_FILE`];
  if (path === undefined) return givenIn(environment, name);
  if (text !== undefined) return { source: 'environment', problem: `is set by ${name}_FILE, too` };
  // What was meant to be in the file may be secret.
  if (path.includes('://')) {
    return { source: 'environment', problem: `has a value in ${name}_FILE that is no path` };
  }
  const content = contentOf(path);
  const source = `file ${path}`;
  if ('text' in content) return { source, text: content.text };
  return { source, problem: `has no value: "${path}" of ${name}_FILE ${content.problem}` };
};

/** Writes a value as it may stand in its variable; undefined for a list or a map. */
const written = (value: unknown): string | undefined =>
  value === undefined || typeof value === 'object' ? undefined : String(value);

/** Names the variables that the program does not know, and that are nearly called like one that it knows. */
const misspeltNames = (environment: Environment, known: readonly string[]): readonly string[] =>
  Object.keys(environment).flatMap((name) => {
    if (known.includes(name)) return [];
    const bare = name.replace(/_FILE$/, '');
    if (known.includes(bare)) return [`${name} is unknown: only secrets may be in files`];
    const near = nearestName(name, known);
    return near === undefined ? [] : [`${name} is unknown: did you mean ${near}?`];
  });

/** Makes the reader of all settings, which notes what it has read; `NODE_ENV` has to be the first. */
export const settingsReader = (environment: Environment) => {
  const problems: string[] = [];
  const settings = new Map<string, Setting>();
  const known: string[] = [];

  const find = (variable: string, isSecret = false): Given | undefined => {
    known.push(variable);
    if (!isSecret) return givenIn(environment, variable);
    known.push(`${variable}_FILE`);
    return secretIn(environment, variable);
  };

  const note = (variable: string, source: string, value: string | undefined): void => {
    settings.set(variable, { variable, value, source });
  };

  /** Takes what is given, or notes why it cannot be used. */
  const take = <Value>(variable: string, given: Given, parse: Parse<Value>): Value | undefined => {
    const result = 'problem' in given ? given : parse(given.text);
    if ('value' in result) {
      note(variable, given.source, result.shown ?? written(result.value));
      return result.value;
    }
    note(variable, given.source, '(invalid)');
    problems.push(`${variable} ${result.problem}`);
    return undefined;
  };

  /** Reads one setting; the default stands for what cannot be used. */
  const read = <Value, Fallback extends Value | undefined>(
    variable: string,
    parse: Parse<Value>,
    usual: Fallback,
    inProduction: Fallback = usual,
  ): Value | Fallback => {
    const given = find(variable, parse.isSecret);
    if (given !== undefined) return take(variable, given, parse) ?? usual;
    const isProduction = settings.get('NODE_ENV')?.value === 'production';
    const fallback = isProduction ? inProduction : usual;
    const source = fallback === usual ? 'default' : 'default in production';
    note(variable, source, written(fallback));
    return fallback;
  };

  return {
    read,
    problems,
    settings,
    /** Tells whether a setting that was read is given in the environment. */
    isGiven: (name: string) => !settings.get(name)?.source.startsWith('default'),
    /** Names the variables of the environment that nothing reads, and that look misspelt: a sentence each. */
    misspelt: () => misspeltNames(environment, known),
  };
};
