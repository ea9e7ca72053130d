/** `npm run contract -- test`: tests a server against its document. */

import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { errorMessage } from '../../src/base/error-message';
import { MissingPackage } from '../../src/base/optional-package';
import { printable } from '../../src/base/text/printable';
import {
  type Credential,
  type Depth,
  joinReports,
  type Progress,
  type TestReport,
  testFormats,
  testServer,
  UnusableOptions,
} from '../../src/contract';
import { UnreadableDocument } from '../../src/document/source/source-text';
import { type ApiDocument, loadApiDocument } from '../../src/engine';
import { csvCodec } from '../../src/server/formats/csv';
import { rootFolder } from '../root-folder';
import { type ContractOutput, exitCodes, type Finish } from './contract-command';
import { type OwnServer, startOwnServer } from './own-server';

/** A whole number. */
const number = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
};

/** From 0 to 100. */
const percent = (text: string): number => {
  const value = Number(text);
  if (text !== '' && value >= 0 && value <= 100) return value;
  throw new InvalidArgumentError('It must be a number from 0 to 100.');
};

/** For an option that may stand several times. */
const add =
  <Value>(parse: (text: string) => Value) =>
  (text: string, all: readonly Value[]) => [...all, parse(text)];

/** `SCHEME=VALUE`, or `SCHEME[scope,scope]=VALUE` for a credential that has these scopes alone. */
const credential = (text: string): Credential => {
  const [, scheme, scopes, value] = /^([^=[\]]+)(?:\[([^\]]*)\])?=(.+)$/s.exec(text) ?? [];
  if (scheme === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be SCHEME=VALUE or SCHEME[SCOPE,SCOPE]=VALUE.');
  }
  const listed = scopes?.split(/[\s,]+/).filter((scope) => scope !== '');
  return { scheme, scopes: listed, value };
};

/** `NAME: VALUE`. */
const header = (text: string): readonly [string, string] => {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\r\n]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be "NAME: VALUE".');
  }
  return [name, value];
};

/** One line, written over again and again. */
export const progressBar = (err: (text: string) => void, isTerminal: boolean) => {
  let last = '';
  return {
    show({ document, operation, done, total, requests, failures }: Progress): void {
      const filled = Math.round((20 * done) / Math.max(1, total));
      const bar = '#'.repeat(filled).padEnd(20, '.');
      const line = `[${bar}] ${printable(`${document} ${operation}`)}`;
      // A line for each step, with the requests of the last one, is as much as a reader follows.
      if (!isTerminal || (line === last && requests % 50 !== 0)) return;
      last = line;
      err(`\r\u001b[K${line}, ${requests} requests, ${failures} failures`);
    },
    clear: () => isTerminal && err('\r\u001b[K'),
  };
};

interface Settings {
  readonly document?: string;
  readonly url?: string;
  readonly credential: readonly Credential[];
  readonly header: readonly (readonly [string, string])[];
  readonly only: readonly string[];
  readonly seed: number;
  readonly depth: Depth;
  readonly maxMinutes: number;
  readonly stateless?: boolean;
  readonly format: keyof typeof testFormats;
  readonly report?: string;
  readonly minCoverage?: number;
}

const depths: readonly Depth[] = ['quick', 'normal', 'deep'];

const ownDocuments = async (): Promise<string[]> => {
  const folder = join(rootFolder, 'specs');
  const names = await readdir(folder);
  return names.filter((name) => /\.(?:ya?ml|json)$/.test(name)).map((name) => join(folder, name));
};

interface Target {
  readonly document: ApiDocument;
  readonly url: string;
  readonly credentials: readonly Credential[];
}

const ownTarget = async (server: OwnServer, document: ApiDocument): Promise<Target> => {
  const url = server.urlOf(document);
  if (url === undefined) throw new UnusableOptions(`${document.file} has no service.`);
  return { document, url, credentials: await server.credentialsFor(document) };
};

/** Only the operations that a document has; of several documents each has some. */
const onlyOf = ({ operations }: ApiDocument, only: readonly string[]): readonly string[] =>
  only.filter((name) => operations.some(({ operationId }) => operationId === name));

const testTargets = async (
  targets: readonly Target[],
  settings: Settings,
  onProgress: (progress: Progress) => void,
): Promise<TestReport> => {
  const { only, seed, depth, stateless = false, header: headers, maxMinutes: minutes } = settings;
  const reports: TestReport[] = [];
  const isAmong = ({ document }: Target) => only.length === 0 || onlyOf(document, only).length > 0;
  const chosen = targets.length > 1 ? targets.filter(isAmong) : targets;
  if (chosen.length === 0) throw new UnusableOptions(`No document has an operation "${only[0]}".`);
  for (const { document, url, credentials } of chosen) {
    const own = targets.length > 1 ? onlyOf(document, only) : only;
    const all = [...settings.credential, ...credentials];
    const options = { document, url, credentials: all, headers, only: own, seed, depth };
    reports.push(await testServer({ ...options, minutes, stateless, onProgress }));
  }
  return joinReports(reports);
};

const testOwn = async (
  settings: Settings,
  onProgress: (progress: Progress) => void,
): Promise<TestReport> => {
  const files = settings.document ? [settings.document] : await ownDocuments();
  const documents: ApiDocument[] = [];
  for (const file of files) documents.push(await loadApiDocument(file, { codecs: [csvCodec] }));
  const server = await startOwnServer(files[0] ?? rootFolder);
  try {
    const targets: Target[] = [];
    for (const document of documents) targets.push(await ownTarget(server, document));
    return await testTargets(targets, settings, onProgress);
  } finally {
    await server.stop();
  }
};

const runTest = async (settings: Settings, output: ContractOutput): Promise<number> => {
  const { document: file, url, format, report: reportFile, minCoverage = 0 } = settings;
  const bar = progressBar(output.err, output.isTerminal === true);
  if (url !== undefined && file === undefined) {
    throw new UnusableOptions(
      '--url needs --document: name the document to test the server against.',
    );
  }
  const report =
    url === undefined || file === undefined
      ? await testOwn(settings, bar.show)
      : await testTargets(
          [{ document: await loadApiDocument(file, { codecs: [csvCodec] }), url, credentials: [] }],
          settings,
          bar.show,
        );
  bar.clear();
  const text = testFormats[format](report);
  if (reportFile === undefined) output.out(text);
  else await writeFile(reportFile, text);
  if (!report.isComplete) {
    output.err(`The run ended at its limit of ${settings.maxMinutes} minutes (--max-minutes).\n`);
    return 1;
  }
  if (report.coverage.percent < minCoverage) {
    output.err(`The coverage is ${report.coverage.percent}%, below ${minCoverage}%.\n`);
    return 1;
  }
  return report.failures.length > 0 ? 1 : 0;
};

/** Gives the sentence about an error that the user can correct; any other error is a fault of the program, and is thrown on. */
const sentenceOf = (error: unknown): string | undefined => {
  const known = [UnusableOptions, UnreadableDocument, MissingPackage];
  if (known.some((one) => error instanceof one)) return errorMessage(error);
  return error instanceof Error && 'code' in error && 'path' in error ? error.message : undefined;
};

/** Makes the command; `finish` is given the exit code: 0, 1 for failures or too little coverage, 2 where nothing was tested. */
export const testCommand = (output: ContractOutput, finish: Finish): Command =>
  new Command('test')
    .description('Test a server against its document; without --url, the server of this project')
    .option('--document <file>', 'the OpenAPI document')
    .option('--url <base>', 'the URL at which its paths begin')
    .option('--credential <scheme=value>', 'a key, token or user:password', add(credential), [])
    .option('--header <name: value>', 'sent with every request', add(header), [])
    .option('--only <operation>', 'an operationId to test; all by default', add(String), [])
    .option('--seed <number>', 'the same number gives the same requests', number, 1)
    .addOption(
      new Option('--depth <depth>', 'the number of values to try')
        .choices(depths)
        .default('normal'),
    )
    .option(
      '--max-minutes <number>',
      'end the test of a document after so many minutes',
      number,
      60,
    )
    .option('--stateless', 'no sequences of operations on the same resource')
    .addOption(
      new Option('--format <format>', 'the format of the report')
        .choices(Object.keys(testFormats))
        .default('text'),
    )
    .option('--report <file>', 'the file of the report; standard output by default')
    .option('--min-coverage <percent>', 'fail below this coverage', percent)
    .action(async (settings: Settings) => {
      try {
        finish(await runTest(settings, output));
      } catch (error) {
        const sentence = sentenceOf(error);
        if (sentence === undefined) throw error;
        output.err(`${sentence}\n`);
        finish(exitCodes.unusable);
      }
    });
