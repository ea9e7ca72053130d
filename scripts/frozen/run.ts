/**
 * `npm run frozen -- OUT [FOLDER…]`: writes what the commands print of every document below the folders, `specs` and `test` by default, and
 * the public face: exports, commands, options, variables and metrics, and the files that requests enter. Run before and after a change of structure, `diff -r` shows what it changed.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { errorMessage } from '../../src/base/error-message';
import { loadApiDocument } from '../../src/engine';
import { readSettings } from '../../src/server/config/config';
import { httpMetrics } from '../../src/server/observability/metrics';
import { runProgram } from '../../src/tool/command/run-program';
import { commands } from '../../src/tool/commands';
import { serveDocuments } from '../../src/tool/serve/server';
import { runMain, temporaryFolder } from '../machine/run-main';
import { rootFolder } from '../root-folder';
import { enteredFiles } from './entered-files';

const program = { name: 'spec-first', description: 'The program', version: '0.0.0', commands };

/** The files of one run are written here and read again, wherever the system keeps them. */
const scratch = temporaryFolder('frozen-');

/** Runs a command, and returns all that it printed, and wrote into a file named by `--out`. */
const printed = async (...args: readonly string[]): Promise<string> => {
  let text = '';
  const take = (part: string) => {
    text += part;
  };
  const exitCode = await runProgram(program, args, { out: take, err: take });
  const at = args.indexOf('--out') + 1;
  const file = at > 0 ? args[at] : undefined;
  const isWritten = file !== undefined && existsSync(file);
  const output = isWritten ? readFileSync(file, 'utf8') : '';
  if (isWritten) rmSync(file);
  return `${text}\n${output}\nexit ${exitCode}\n`
    .replaceAll(scratch, 'SCRATCH')
    .replaceAll(`${rootFolder}/`, '');
};

/** Tests a document against mocks of it; the times of its answers are left out. */
const testedAgainstMocks = async (file: string): Promise<string> => {
  const quiet = { out: () => undefined, err: () => undefined };
  const settings = { sources: [file], port: 0, host: '127.0.0.1', docs: false };
  const server = await serveDocuments(settings, quiet).catch(errorMessage);
  if (typeof server === 'string') return `not served: ${server}\n`;
  try {
    const { basePath } = await loadApiDocument(file);
    const url = `${server.origin}${basePath}`;
    const options = ['--depth', 'quick', '--format', 'json', '--max-minutes', '10', '--url', url];
    const text = await printed('test', file, ...options);
    return text
      .replaceAll(server.origin, 'ORIGIN')
      .replaceAll(/\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g, 'DATE');
  } finally {
    await server.stop();
  }
};

/** The beginning of a document. */
const version = /^\s*["']?(?:openapi|swagger)["']?\s*:/m;

const documentsBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => /\.(?:ya?ml|json)$/.test(file) && !file.includes('node_modules'))
    .filter((file) => version.test(readFileSync(file, 'utf8').slice(0, 5000)))
    .sort();

/** Gives the outputs about one document, by the command; it is compared with the document listed before it. */
async function* outputsOf(file: string, before: string) {
  const out = join(scratch, 'out');
  yield ['check', await printed('check', file)] as const;
  yield ['check.json', await printed('check', '--format', 'json', file)] as const;
  yield ['check.sarif', await printed('check', '--format', 'sarif', file)] as const;
  yield ['diff', await printed('diff', before, file)] as const;
  yield ['diff.json', await printed('diff', '--format', 'json', before, file)] as const;
  yield ['types', await printed('types', file, '--out', `${out}.ts`)] as const;
  yield ['stubs', await printed('stubs', file, '--out', `${out}.ts`)] as const;
  yield ['upgrade', await printed('upgrade', file, '--out', `${out}.yaml`)] as const;
  yield ['test', await testedAgainstMocks(file)] as const;
}

/** Gives the lists of what others use. */
async function* publicFace() {
  for (const name of Object.keys(commands)) yield [name, await printed(name, '--help')] as const;
  const variables = readSettings({}).settings.map(({ variable }) => variable);
  yield ['variables', variables.sort().join('\n')] as const;
  const { text } = await httpMetrics('process').expose();
  yield ['metrics', (text.match(/(?<=^# TYPE )\S+ \S+/gm) ?? []).sort().join('\n')] as const;
  for await (const [name, files] of enteredFiles(scratch))
    yield [`entered-by-${name}`, files] as const;
  for (const part of ['package', 'contract'] as const) {
    const exports = readFileSync(join(rootFolder, `src/${part}/index.ts`), 'utf8');
    yield [`${part}-exports`, exports] as const;
  }
}

runMain(async () => {
  const [out, ...folders] = process.argv.slice(2);
  if (out === undefined) throw new Error('Usage: npm run frozen -- OUT [FOLDER…]');
  const write = (name: string, text: string) => {
    const file = join(out, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  for await (const [name, text] of publicFace()) write(`public/${name}`, text);
  for (const folder of folders.length > 0 ? folders : ['specs', 'test']) {
    let before: string | undefined;
    for (const file of documentsBelow(folder)) {
      const name = relative(folder, file).replaceAll('/', '_');
      for await (const [command, text] of outputsOf(file, before ?? file)) {
        write(`${folder.replaceAll('/', '_')}/${name}.${command}`, text);
      }
      before = file;
    }
  }
  return 0;
});
