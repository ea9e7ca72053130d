/** `proxy FILE --upstream URL` passes requests to a server that exists, and checks both ways against the document. */

import { writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { errorMessage } from '../../base/error-message';
import { printable } from '../../base/text/printable';
import { jsonReport } from '../../contract';
import { describeDiagnostic } from '../../document/diagnostics/diagnostic';
import { loadApiDocument } from '../../engine';
import { drain } from '../../http/listening';
import {
  exitCodes,
  loadSettings,
  type MakeCommand,
  type ReferenceOptions,
  type ToolContext,
  textPainter,
  withReferences,
} from '../command/command';
import {
  drainSeconds,
  openPort,
  requestLine,
  stopSignal,
  upstreamUrl,
  wholeNumberOption,
} from '../command/serving';
import {
  modes,
  type Passage,
  type ProxyOptions,
  proxyServer,
  uncheckedOf,
  violationsOf,
} from './proxy';
import { type Observations, observations } from './seen';

/** Milliseconds between two writings of the report. */
const reportPause = 1000;

/**
 * Makes what keeps the file of a report up to date.
 * @throws Error in one sentence where it cannot be written at the start
 */
const reportKeeper = (file: string, seen: Observations, err: ToolContext['err']) => {
  let timer: NodeJS.Timeout | undefined;
  const write = (refuse: (sentence: string) => void): void => {
    clearTimeout(timer);
    timer = undefined;
    try {
      writeFileSync(file, jsonReport(seen.report()));
    } catch (error) {
      refuse(`The report cannot be written: ${errorMessage(error)}`);
    }
  };
  write((sentence) => {
    throw new Error(sentence);
  });
  const finish = (): void => write((sentence) => err(`${sentence}\n`));
  const changed = (): void => {
    timer ??= setTimeout(finish, reportPause).unref();
  };
  return { changed, finish };
};

const passageLines = (
  passage: Passage,
  milliseconds: number,
  paint: ReturnType<typeof textPainter>,
): string => {
  const { request, response, verdict, problem } = passage;
  const name = verdict.operation?.operationId ?? '-';
  const reasons = [
    ...violationsOf(passage).map(({ on, sentence }) => `${on}: ${sentence}`),
    ...uncheckedOf(passage).map((reason) => `unchecked ${reason}`),
    ...(problem === undefined ? [] : [problem]),
  ];
  return [
    requestLine(request, response, milliseconds, name, paint),
    ...reasons.map((reason) => paint('yellow', `  ${printable(reason)}`)),
    '',
  ].join('\n');
};

/** Starts a proxy. Resolves to the URL of the document at the proxy, and what stops it. */
export const startProxy = async (
  file: string,
  settings: ReferenceOptions &
    Pick<ProxyOptions, 'upstream' | 'mode' | 'timeout' | 'mockMissing'> & {
      readonly port: number;
      readonly host: string;
      readonly report?: string;
    },
  context: ToolContext,
) => {
  const { out, err } = context;
  const document = await loadApiDocument(file, loadSettings(settings));
  for (const diagnostic of document.diagnostics) {
    err(`${printable(describeDiagnostic(diagnostic))}\n`);
  }
  const seen = observations(document, settings);
  const { report } = settings;
  const keeper = report === undefined ? undefined : reportKeeper(report, seen, err);
  const server = proxyServer(document, {
    ...settings,
    onError: (message) => err(`${printable(message)}\n`),
    onPassed(passage, milliseconds) {
      seen.record(passage);
      keeper?.changed();
      out(passageLines(passage, milliseconds, textPainter(context)));
    },
  });
  const origin = await openPort(server, settings.port, settings.host);
  return {
    url: origin + document.basePath,
    async stop(): Promise<void> {
      await drain(server, drainSeconds);
      keeper?.finish();
    },
  };
};

/** Makes the command. */
export const proxyCommand: MakeCommand = (context, finish) =>
  withReferences(new Command())
    .argument('<file>', 'the document, YAML or JSON')
    .requiredOption(
      '--upstream <url>',
      'the server; the path of its URL stands before those of requests, but for the base path of the document at its end',
      upstreamUrl,
    )
    .option(
      '--port <number>',
      'the port to listen at; 0 for any free one',
      wholeNumberOption(65_535),
      4011,
    )
    .option('--host <address>', 'the address to listen at', '127.0.0.1')
    .option(
      '--timeout <seconds>',
      'the time for the upstream to answer a request, and to go on with a response that is kept back',
      wholeNumberOption(86_400, 1),
      60,
    )
    .addOption(
      new Option('--mode <mode>', 'mark messages that do not fit, refuse them, or change nothing')
        .choices(modes)
        .default('annotate'),
    )
    .option('--mock-missing', 'let mocks answer for operations that the upstream does not have')
    .option('--report <file>', 'write what was seen as JSON into this file', (text: string) => {
      if (text.endsWith('.json')) return text;
      throw new InvalidArgumentError('It must end with .json.');
    })
    .action(async (file: string, settings: Parameters<typeof startProxy>[1]) => {
      const proxy = await startProxy(file, settings, context);
      context.out(`${proxy.url} passes requests to ${settings.upstream.href}\n`);
      await stopSignal();
      await proxy.stop();
      finish(exitCodes.clean);
    });
