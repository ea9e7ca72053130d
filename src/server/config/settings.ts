/** Reads settings from the environment, where the file of NAME_FILE may hold a secret NAME, and notes where each came from. */

import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { Command } from 'commander';
import { nearestName } from '../../base/text/nearest-name';
import { errorFacts } from '../../storage/sql/dialect';
import type { Parse } from './config-values';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that is in force, as it may be shown; its source is `default`, `default in production`, `environment` or `file PATH`. */
type Setting = Readonly<{ variable: string; value: string | undefined; source: string }>;

/** Reads a value, without the line end behind it, or finds why there is none. */
const readValue = (path: string): { readonly text: string } | { readonly problem: string } => {
  // What was meant to be in the file may be secret.
  if (path.includes('://')) return { problem: 'must be the path of a file' };
  const refuse = (reason: string) => ({ problem: `names "${path}", which ${reason}` });
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > 64 * 1024) return refuse('is no file of at most 64 KiB');
    const bytes = readFileSync(path);
    if (!isUtf8(bytes)) return refuse('is not UTF-8');
    const text = new TextDecoder().decode(bytes).replace(/\r?\n$/, '');
    return text === '' ? refuse('is empty') : { text };
  } catch (error) {
    return refuse(`cannot be read (${errorFacts(error).code})`);
  }
};

/**
 * Makes the reader of all settings, which notes what it has read; `NODE_ENV` has to be the first.
 *
 * @param secrets - how the values of those are shown that may hold a secret
 */
export const settingsReader = (
  environment: Environment,
  secrets: ReadonlyMap<string, (text: string) => string>,
) => {
  const problems: string[] = [];
  const settings = new Map<string, Setting>();
  const fromFiles: Record<string, string> = {};
  for (const name of secrets.keys()) {
    const path = environment[`${name}_FILE`];
    if (path === undefined) continue;
    const read = environment[name] === undefined ? readValue(path) : { problem: 'is set as well' };
    if ('text' in read) fromFiles[name] = read.text;
    else problems.push(`${name}_FILE ${read.problem}`);
  }
  const values = { ...environment, ...fromFiles };

  const take = <Value>(variable: string, text: string, parse: Parse<Value>): Value | undefined => {
    const result = parse(text);
    const source =
      variable in fromFiles ? `file ${environment[`${variable}_FILE`]}` : 'environment';
    const show = 'value' in result ? (secrets.get(variable) ?? String) : () => '(invalid)';
    settings.set(variable, { variable, value: show(text), source });
    if ('value' in result) return result.value;
    problems.push(`${variable} ${result.problem}`);
    return undefined;
  };

  const read = <Value, Fallback extends Value | undefined>(
    variable: string,
    parse: Parse<Value>,
    usual: Fallback,
    inProduction: Fallback = usual,
  ): Value | Fallback => {
    const text = values[variable];
    if (text !== undefined) return take(variable, text, parse) ?? usual;
    const isProduction = settings.get('NODE_ENV')?.value === 'production';
    const fallback = isProduction ? inProduction : usual;
    const source = fallback === usual ? 'default' : 'default in production';
    const value = fallback === undefined ? undefined : String(fallback);
    settings.set(variable, { variable, value, source });
    return fallback;
  };

  return {
    read,
    problems,
    settings,
    fromFiles,
    misspelt: (): readonly string[] => {
      const files = [...secrets.keys()].map((name) => `${name}_FILE`);
      const known = [...settings.keys(), ...secrets.keys(), ...files];
      return Object.keys(environment).flatMap((name) => {
        // Variables of PostgreSQL's programs and libraries, such as PGHOST (libpq, Environment Variables).
        const isKnown = known.includes(name) || /^PG[A-Z]+$/.test(name);
        const near = isKnown ? undefined : nearestName(name, known);
        return near === undefined ? [] : [`${name} is unknown: did you mean ${near}?`];
      });
    },
  };
};

/**
 * Gives the environment, with what the command line says: `--strict` is `STRICT_DOCUMENTS=true`. Ends the process with 0 where it asks for
 * help, and with 2 where it says anything else.
 */
export const withArguments = (environment: Environment, args: readonly string[]): Environment => {
  const configuration = `
Environment variables configure everything else, such as PORT, HOST, DATABASE_URL, SPECS_DIRECTORY and LOG_LEVEL.
src/server/configuration.md lists them.`;
  const command = new Command('main.js')
    .description('Serves OpenAPI documents: operations, documentation and sign-in')
    .option('--strict', 'do not start while a document has errors (STRICT_DOCUMENTS=true)')
    .addHelpText('after', configuration)
    .allowExcessArguments(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse([...args], { from: 'user' });
  return command.opts()['strict'] === true
    ? { ...environment, STRICT_DOCUMENTS: 'true' }
    : environment;
};
