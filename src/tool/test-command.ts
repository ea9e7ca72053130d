/** `test FILE --url BASE` tests a server against its document. */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { printable } from '../base/text/printable';
import {
  type Credential,
  type Depth,
  joinReports,
  type Progress,
  type TestReport,
  testFormats,
  testServer,
  UnusableOptions,
} from '../contract';
import { type ApiDocument, loadApiDocument } from '../engine';
import { sufficientCredentials } from '../requests/credentials';
import {
  credentialOption,
  exitCodes,
  formatOption,
  listOption,
  type MakeCommand,
  type OverlayOptions,
  overlayOption,
  paintReport,
  type ToolContext,
} from './command/command';

const wholeNumberText = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
};

const percent = (text: string): number => {
  const value = Number(text);
  if (text !== '' && value >= 0 && value <= 100) return value;
  throw new InvalidArgumentError('It must be a number from 0 to 100.');
};

/** `NAME: VALUE`. */
const headerOption = (text: string): readonly [string, string] => {
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

interface Settings extends OverlayOptions {
  readonly document?: string | undefined;
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

/** A server to test, and what it is tested against. */
export interface Target {
  readonly document: ApiDocument;
  readonly url: string;
  readonly credentials: readonly Credential[];
}

/**
 * Starts the project's own server, which is tested where no URL is given.
 * @param file the document to test it against; all that it has, where none is given
 */
export type StartOwnServer = (
  file: string | undefined,
) => Promise<{ readonly targets: readonly Target[]; stop(): Promise<void> }>;

/** Says how to give a credential, where operations that were tested ask for one and there is none; else undefined. */
const missingCredentials = (
  { operations, securitySchemes }: ApiDocument,
  given: readonly Credential[],
  only: readonly string[],
): string | undefined => {
  const [scheme] = securitySchemes.keys();
  const tested = operations.filter(
    ({ operationId }) => only.length === 0 || only.includes(operationId),
  );
  const { length } = tested.filter((one) => sufficientCredentials(one, []).length === 0);
  if (scheme === undefined || given.length > 0 || length === 0) return undefined;
  return `${length} of ${tested.length} operations ask for a credential: --credential '${printable(scheme)}=VALUE' gives one.\n`;
};

const testTargets = async (
  targets: readonly Target[],
  settings: Settings,
  onProgress: (progress: Progress) => void,
): Promise<TestReport> => {
  const { only, seed, depth, stateless = false, header: headers, maxMinutes: minutes } = settings;
  const reports: TestReport[] = [];
  // Of several documents each has some of the operations.
  const onlyOf = ({ operations }: ApiDocument): readonly string[] =>
    only.filter((name) => operations.some(({ operationId }) => operationId === name));
  const isAmong = ({ document }: Target) => only.length === 0 || onlyOf(document).length > 0;
  const chosen = targets.length > 1 ? targets.filter(isAmong) : targets;
  if (chosen.length === 0) throw new UnusableOptions(`No document has an operation "${only[0]}".`);
  for (const { document, url, credentials } of chosen) {
    const own = targets.length > 1 ? onlyOf(document) : only;
    const all = [...settings.credential, ...credentials];
    const options = { document, url, credentials: all, headers, only: own, seed, depth };
    reports.push(await testServer({ ...options, minutes, stateless, onProgress }));
  }
  return joinReports(reports);
};

const startTargets = async (
  { document: file, url, overlay: overlays = [] }: Settings,
  startOwn: StartOwnServer | undefined,
): ReturnType<StartOwnServer> => {
  if (url === undefined && startOwn !== undefined) {
    if (overlays.length === 0) return startOwn(file);
    const message = 'The own server takes overlays by their names. Name another with --url.';
    throw new UnusableOptions(message);
  }
  if (file === undefined)
    throw new UnusableOptions('Name the document to test the server against.');
  if (url === undefined) {
    const other = 'If there is none, `spec-first serve FILE` starts one with mocks.';
    throw new UnusableOptions(`Name the server to test with --url. ${other}`);
  }
  const document = await loadApiDocument(file, { overlays });
  return { targets: [{ document, url, credentials: [] }], stop: async () => undefined };
};

const runTest = async (
  settings: Settings,
  context: ToolContext,
  startOwn: StartOwnServer | undefined,
): Promise<number> => {
  const { format, report: reportFile, minCoverage = 0 } = settings;
  const bar = progressBar(context.err, context.isTerminal === true);
  const server = await startTargets(settings, startOwn);
  const report = await testTargets(server.targets, settings, bar.show).finally(server.stop);
  bar.clear();
  for (const { document, credentials } of server.targets) {
    const given = [...settings.credential, ...credentials];
    const hint = missingCredentials(document, given, settings.only);
    if (hint !== undefined) context.err(hint);
  }
  const text = testFormats[format](report);
  if (reportFile === undefined) context.out(paintReport(context, format, text));
  else {
    await mkdir(dirname(reportFile), { recursive: true });
    await writeFile(reportFile, text);
  }
  if (!report.isComplete) {
    context.err(`The run ended at its limit of ${settings.maxMinutes} minutes (--max-minutes).\n`);
    return exitCodes.faulty;
  }
  if (report.coverage.percent < minCoverage) {
    context.err(`The coverage is ${report.coverage.percent}%, below ${minCoverage}%.\n`);
    return exitCodes.faulty;
  }
  return report.failures.length > 0 ? exitCodes.faulty : exitCodes.clean;
};

/** Makes a command that tests the project's own server where no URL is given. */
export const testCommandOf =
  (startOwn?: StartOwnServer): MakeCommand =>
  (context, finish) =>
    new Command()
      .argument('[file]', 'the OpenAPI document')
      // As the argument was given once.
      .addOption(new Option('--document <file>').hideHelp())
      .addOption(overlayOption())
      .option('--url <base>', 'the URL at which its paths begin')
      .addOption(
        listOption(
          '--credential <scheme=value>',
          'a key, token or user:password',
          credentialOption,
        ),
      )
      .addOption(listOption('--header <name: value>', 'sent with every request', headerOption))
      .addOption(listOption('--only <operation>', 'an operationId to test; all by default', String))
      .option('--seed <number>', 'the same number gives the same requests', wholeNumberText, 1)
      .addOption(
        new Option('--depth <depth>', 'the number of values to try')
          .choices(['quick', 'normal', 'deep'] satisfies Depth[])
          .default('normal'),
      )
      .option(
        '--max-minutes <number>',
        'end the test of a document after so many minutes',
        wholeNumberText,
        60,
      )
      .option('--stateless', 'no sequences of operations on the same resource')
      .addOption(formatOption(Object.keys(testFormats)))
      .option('--report <file>', 'the file of the report; standard output by default')
      .option('--min-coverage <percent>', 'fail below this coverage', percent)
      .action(async (file: string | undefined, settings: Settings) => {
        const document = file ?? settings.document;
        finish(await runTest({ ...settings, document }, context, startOwn));
      });

/** Makes the command. */
export const testCommand = testCommandOf();
