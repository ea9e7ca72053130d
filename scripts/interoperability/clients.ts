/** Clients that are generated from the served documents, compiled strictly, and run against the server. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage } from '../../src/base/error-message';
import { run } from '../machine/run-program';
import { rootFolder } from '../root-folder';

const folder = join(__dirname, 'build');
const packages = join(rootFolder, 'node_modules');

/** The compiler's API for generators, which TypeScript 7 does not have. */
const preload = pathToFileURL(join(rootFolder, 'test/support/serve-typescript-5.mjs')).href;

/** Runs a program of Node.js; returns its output where it fails. */
const failureOf = (args: readonly string[], nodeOptions = ''): Promise<string | undefined> => {
  const env = { ...process.env, NODE_OPTIONS: nodeOptions };
  return run([process.execPath, ...args], folder, { env }).then(() => undefined, errorMessage);
};

const generate = async (name: string, document: string): Promise<string | undefined> => {
  const file = `${name}.json`;
  await writeFile(join(folder, file), document);
  const options = `--import ${preload}`;
  const types = [join(packages, 'openapi-typescript/bin/cli.js'), file, '-o', `types-${name}.ts`];
  const client = [
    ...[join(packages, '@hey-api/openapi-ts/bin/run.js'), '-i', file],
    ...['-o', `hey-${name}`, '--no-log-file'],
  ];
  return (await failureOf(types, options)) ?? (await failureOf(client, options));
};

/**
 * Generates the clients and runs them.
 *
 * @param documents the served documents by service
 * @param settings the argument of the clients, as `clients/settings.mts` has it
 * @returns the output of the first program that fails
 */
export const clientProblems = async (
  documents: Readonly<Record<string, string>>,
  settings: object,
): Promise<readonly string[]> => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const [name, document] of Object.entries(documents)) {
    const failure = await generate(name, document);
    if (failure !== undefined) return [`No client of ${name}: ${failure}`];
  }
  const sources = join(__dirname, 'clients');
  const failure = await failureOf([join(packages, 'typescript/bin/tsc'), '-p', sources]);
  if (failure !== undefined) return [`The clients do not compile: ${failure}`];
  const tsx = join(packages, 'tsx/dist/cli.mjs');
  const programs = ['openapi-fetch.mts', 'hey-api.mts', 'msw.mjs', 'mcp-v1.mts', 'mcp-v2.mts'];
  for (const client of programs) {
    const said = await failureOf([tsx, join(sources, client), JSON.stringify(settings)]);
    if (said !== undefined) return [`${client} fails: ${said}`];
  }
  return [];
};
