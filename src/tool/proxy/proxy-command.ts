/** `proxy FILE --upstream URL` passes requests to a server that exists, and checks both ways against the document. */

import { writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { errorMessage } from '../../base/error-message';
import { printable } from '../../base/text/printable';
import { jsonReport } from '../../contract';
import { describeDiagnostic } from '../../document/diagnostics/diagnostic';
import { type ApiDocument, loadApiDocument } from '../../engine';
import { drain } from '../../http/listening';
import { bodyAnnounced, originForm } from '../../http/request';
import {
  exitCodes,
  loadSettings,
  type MakeCommand,
  type ReferenceOptions,
  type ToolContext,
  textPainter,
  withReferences,
} from '../command/command';
import { type ArchiveEntry, createArchive, credentialNames } from '../command/har';
import {
  drainSeconds,
  openPort,
  portOption,
  requestLine,
  stopSignal,
  upstreamUrl,
  wholeNumberOption,
} from '../command/serving';
import { pairsOf } from './pass-on';
import {
  modes,
  type Passage,
  type ProxyOptions,
  proxyServer,
  uncheckedOf,
  violationsOf,
} from './proxy';
import { observations } from './seen';

/**
 * Makes what keeps the file of a report up to date.
 * @throws Error in one sentence where it cannot be written at the start
 */
const reportKeeper = (
  file: string,
  { report }: ReturnType<typeof observations>,
  err: ToolContext['err'],
) => {
  let timer: NodeJS.Timeout | undefined;
  const write = (refuse: (sentence: string) => void): void => {
    clearTimeout(timer);
    timer = undefined;
    try {
      writeFileSync(file, jsonReport(report()));
    } catch (error) {
      refuse(`The report cannot be written: ${errorMessage(error)}`);
    }
  };
  write((sentence) => {
    throw new Error(sentence);
  });
  const finish = (): void => write((sentence) => err(`${sentence}\n`));
  // Milliseconds between two writings of the report.
  const reportPause = 1000;
  const changed = (): void => {
    timer ??= setTimeout(finish, reportPause).unref();
  };
  return { changed, finish };
};

/** Makes the entry of a passage without credentials; undefined unless an operation's response of the upstream came as a whole. */
const entryOf = (
  { request, answer, copies: [sent, received], verdict, problem, ofResponse }: Passage,
  secrets: ReturnType<typeof credentialNames>,
  origin: string,
): ArchiveEntry | undefined => {
  if (answer === undefined || verdict.operation === undefined || problem !== undefined) return;
  const withoutSecrets = (raw: readonly string[]) =>
    pairsOf(raw).filter(([name]) => !secrets.headers.has(name.toLowerCase()));
  const { method = '', url: target = '/' } = request;
  const url = new URL(origin + originForm(target));
  for (const name of secrets.query) {
    // A deletion writes the query again in another spelling, also where there is no such name.
    if (url.searchParams.has(name)) url.searchParams.delete(name);
  }
  const hasCome = request.readableEnded || !bodyAnnounced(request);
  return {
    request: {
      ...{ method, url: url.href, headers: withoutSecrets(request.rawHeaders) },
      body: hasCome && sent?.isKept ? sent.bytes : undefined,
    },
    response: {
      ...{ status: answer.statusCode ?? 0, statusText: answer.statusMessage ?? '' },
      headers: withoutSecrets(answer.rawHeaders),
      body: ofResponse.content,
      transferred: received?.isKept ? received.bytes.length : undefined,
    },
  };
};

/**
 * Makes what records passages in an HTTP archive.
 * @throws Error in one sentence where the file cannot be written at the start
 */
const archiveKeeper = (
  file: string,
  document: ApiDocument,
  { origin }: URL,
  err: ToolContext['err'],
) => {
  const refusal = (error: unknown) =>
    new Error(`The archive cannot be written: ${errorMessage(error)}`, { cause: error });
  const secrets = credentialNames(document);
  let archive: ReturnType<typeof createArchive> | undefined;
  try {
    archive = createArchive(file);
  } catch (error) {
    throw refusal(error);
  }
  const close = (): void => {
    archive?.close();
    archive = undefined;
  };
  return {
    close,
    record(passage: Passage, milliseconds: number): void {
      try {
        const entry = entryOf(passage, secrets, origin);
        if (entry === undefined) return;
        archive?.add(entry, new Date(Date.now() - milliseconds), milliseconds);
      } catch (error) {
        close();
        err(`${refusal(error).message}. Nothing more is recorded.\n`);
      }
    },
  };
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
      readonly har?: string;
    },
  context: ToolContext,
) => {
  const { out, err } = context;
  const document = await loadApiDocument(file, loadSettings(settings));
  for (const diagnostic of document.diagnostics) {
    err(`${printable(describeDiagnostic(diagnostic))}\n`);
  }
  const seen = observations(document, settings);
  const { report, har, upstream } = settings;
  const keeper = report === undefined ? undefined : reportKeeper(report, seen, err);
  const archive = har === undefined ? undefined : archiveKeeper(har, document, upstream, err);
  const server = proxyServer(document, {
    ...settings,
    keepsBodies: archive !== undefined,
    onError: (message) => err(`${printable(message)}\n`),
    onPassed(passage, milliseconds) {
      seen.record(passage);
      keeper?.changed();
      archive?.record(passage, milliseconds);
      out(passageLines(passage, milliseconds, textPainter(context)));
    },
  });
  const origin = await openPort(server, settings.port, settings.host);
  return {
    url: origin + document.basePath,
    async stop(): Promise<void> {
      await drain(server, drainSeconds);
      keeper?.finish();
      archive?.close();
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
    .addOption(portOption(4011))
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
    .option('--har <file>', 'record what the upstream answers in an HTTP archive, for serve --har')
    .action(async (file: string, settings: Parameters<typeof startProxy>[1]) => {
      const proxy = await startProxy(file, settings, context);
      context.out(`${proxy.url} passes requests to ${settings.upstream.href}\n`);
      await stopSignal();
      await proxy.stop();
      finish(exitCodes.clean);
    });
