/** Puts the compiled program and the packages it uses into one file. */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { programEnd, programHead } from '../../src/compiled-program';
import { escaped } from './escaped';

/** They bring binaries or files of their own. */
const withFiles = ['better-sqlite3', 'sqlite3', 'swagger-ui-dist'];

/** Knex and pg name them; whoever does not use them does not have them. */
const notUsed = [
  'mariadb/callback',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'tedious',
];

/** The program in one file, beneath a build's folder. */
export const programFile = (folder: string): string => join(folder, 'program', 'main.js');

/**
 * Bundles what was compiled into the folder.
 *
 * @throws Error where a module or package is missing; esbuild prints which
 */
export const bundle = async (folder: string): Promise<void> => {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'src', 'main.js')],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: [...withFiles, ...notUsed],
    charset: 'ascii',
    banner: { js: programHead },
    footer: { js: programEnd },
    legalComments: 'none',
    // V8 keeps the text as long as the program runs: a quarter of it is blanks. Lines stay, for stack traces.
    minifyWhitespace: true,
    lineLimit: 120,
    logLevel: 'warning',
  });
  const file = programFile(folder);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(
    file,
    outputFiles.map(({ text }) => escaped(text)),
  );
};
