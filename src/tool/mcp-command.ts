/** `mcp FILE`: the operations of an API as tools for agents, on stdio or HTTP; of a server with `--url`, else of mocks. */

import { createServer, type RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { Command } from 'commander';
import { parseMediaType } from '../base/media-type';
import { recover } from '../base/recover';
import { requireKnownNames } from '../base/text/nearest-name';
import { printable } from '../base/text/printable';
import { describeDiagnostic } from '../document/diagnostics/diagnostic';
import { type ApiDocument, defaultErrors, loadApiDocument, schemaContext } from '../engine';
import { giveUp, NodeExchange, pathNotFound } from '../http/exchange';
import { sendFailure } from '../http/failure';
import { drain } from '../http/listening';
import { headFault, splitTarget } from '../http/request';
import {
  askService,
  CallFailure,
  isLocalOrigin,
  McpServer,
  mcpEndpoint,
  missingIn,
  type SendCall,
  serveLines,
  userAgent,
} from '../mcp';
import { mockCredentials } from '../mock';
import type { Operation } from '../model/operation';
import { openApiRouter } from '../package';
import {
  type Credential,
  loginScheme,
  place,
  placementOf,
  sufficientCredentials,
} from '../requests/credentials';
import { headerOf, httpClient } from '../requests/http-client';
import { type OutgoingRequest, receivedRequest } from '../requests/request-case';
import {
  credentialOption,
  exitCodes,
  listOption,
  loadSettings,
  type MakeCommand,
  type ReferenceOptions,
  type ToolContext,
  withReferences,
} from './command/command';
import {
  drainSeconds,
  openPort,
  stopSignal,
  upstreamUrl,
  wholeNumberOption,
} from './command/serving';
import { checkResponse, requestChecker } from './proxy/check-messages';
import { upstreamPrefix } from './proxy/pass-on';

interface McpSettings extends ReferenceOptions {
  readonly url?: URL;
  readonly credential: readonly Credential[];
  readonly http?: number;
  readonly host: string;
  readonly timeout: number;
  readonly tag: readonly string[];
  readonly only: readonly string[];
  readonly readOnly?: boolean;
  readonly allTools?: boolean;
  readonly maxResult: number;
}

/** Adds the credentials by which an operation may be called; none where they do not suffice. */
const authorized = (
  request: OutgoingRequest,
  operation: Operation,
  { securitySchemes }: ApiDocument,
  credentials: readonly Credential[],
): OutgoingRequest => {
  const [way = []] = sufficientCredentials(operation, credentials);
  return place(
    request,
    way.flatMap(({ scheme, value }) => placementOf(securitySchemes.get(scheme), value) ?? []),
  );
};

/** Makes what sends calls to a server. What breaks the document is refused here in a request, and told of in a response. */
const upstreamCalls = (
  document: ApiDocument,
  base: URL,
  { credential, timeout }: McpSettings,
  log: (message: string) => void,
): SendCall => {
  const tools = schemaContext(document);
  const checker = requestChecker(document, log);
  const client = httpClient(base, [['User-Agent', userAgent]], timeout * 1000);
  // What says no length may be made for ever, unless only the whole is of use.
  const isEndless: Parameters<typeof client.send>[1] = (head) => {
    const { essence = '' } = parseMediaType(headerOf(head, 'content-type') ?? '') ?? {};
    const isUsefulWhole = /^(?:image|audio)\/|[/+](?:json|xml|yaml)$/.test(essence);
    return headerOf(head, 'content-length') === undefined && !isUsefulWhole;
  };
  return async (call, operation) => {
    const request = authorized(call, operation, document, credential);
    const target = document.basePath + request.target;
    const { failure } = await checker.check(receivedRequest({ ...request, target }));
    // Whether credentials suffice is the server's to say.
    if (failure !== undefined && failure.status !== 401 && failure.status !== 403) {
      return { status: failure.status, headers: [], body: undefined, failure };
    }
    const { answer, error } = await client.send(request, isEndless);
    if (answer === undefined) throw new CallFailure(error);
    const { status, undecoded } = answer;
    if (undecoded !== undefined) {
      const coding = headerOf(answer, 'content-encoding');
      throw new CallFailure(`The answer is ${status}, in ${coding}. ${undecoded}`);
    }
    const isCut = answer.cut !== undefined;
    const received = { ...answer, body: isCut ? undefined : answer.body };
    const asked = [request, undefined, received, tools] as const;
    const { violations, unchecked } = await checkResponse(operation, ...asked);
    const told = violations.map(({ place: at, sentence }) => `${at} ${sentence}`.trim());
    const problems = told.map((one) => `The response breaks the document: ${one}`);
    return { ...answer, isCut, problems: unchecked === undefined ? problems : undefined };
  };
};

/** Makes what sends calls to mocks that remember; they get the credentials that the document asks for. */
const mockCalls = async (document: ApiDocument): Promise<SendCall> => {
  const names = [...document.securitySchemes.keys(), loginScheme];
  const credentials = names.map((scheme) => ({ scheme, value: 'mock:mock' }));
  // Its diagnostics have been printed.
  const known = { ...document, diagnostics: [] };
  const router = await openApiRouter(known, {}, mockCredentials(document), { mocks: true });
  return (call, operation, signal) => {
    const request = authorized(call, operation, document, credentials);
    return askService(router.serve, { ...receivedRequest(request), signal });
  };
};

const waitingFor = (title: string): string => {
  const shown = process.argv
    .slice(2)
    .map((text, at, all) =>
      all[at - 1] === '--credential' || text.startsWith('--credential=')
        ? text.replace(/^((?:--credential=)?[^=]*=).*$/s, '$1VALUE')
        : text,
    );
  return `The tools of ${title} wait for JSON-RPC messages on standard input.
An agent starts this command itself; its configuration needs
  "command": "npx", "args": ${JSON.stringify(['spec-first', ...shown])}
--http 4012 listens at an address instead. Ctrl-C ends it.
`;
};

const serveStdio = async (
  server: McpServer,
  send: SendCall,
  { out, err, isTyped = false }: ToolContext,
) => {
  if (isTyped) err(waitingFor(printable(server.document.info.title)));
  const failed = (error: unknown): void => err(`${inspect(error)}\n`);
  process.stdin.setEncoding('utf8');
  // Typed as chunks of any kind; with an encoding they are texts.
  const input = process.stdin as AsyncIterable<string>;
  await Promise.race([serveLines(server, input, out, send, failed), stopSignal()]);
};

const serveHttp = async (
  server: McpServer,
  send: SendCall,
  { http: port = 0, host }: McpSettings,
  { err }: ToolContext,
) => {
  const answer = mcpEndpoint(server, { allowsOrigin: isLocalOrigin });
  const means = {
    log: { error: (_fields: object, message: string) => err(`${printable(message)}\n`) },
    writeError: defaultErrors(),
  };
  const listener: RequestListener = (request, response) => {
    const exchange = new NodeExchange(request, response);
    const isThere = splitTarget(exchange.target).path === '/mcp';
    const fault = headFault(request) ?? (isThere ? undefined : pathNotFound());
    const answered = fault === undefined ? answer(exchange, send) : Promise.reject(fault);
    answered
      .then((answer) => exchange.send(answer))
      .catch((error: unknown) => sendFailure(exchange, error, means))
      .catch(giveUp(response));
  };
  const listening = createServer(listener);
  const origin = await openPort(listening, port, host);
  err(`${origin}/mcp has the tools of ${printable(server.document.info.title)}\n`);
  await stopSignal();
  await drain(listening, drainSeconds);
};

const serveTools = async (file: string, settings: McpSettings, context: ToolContext) => {
  const { url, tag, only, readOnly = false, allTools = false, maxResult, timeout } = settings;
  const document = await loadApiDocument(file, loadSettings(settings));
  const log = (message: string): void => context.err(`${printable(message)}\n`);
  // Nothing but messages may come out on stdio.
  for (const diagnostic of document.diagnostics) log(describeDiagnostic(diagnostic));
  for (const operation of document.operations) {
    const missing = missingIn(operation, document).join(' and ');
    if (missing)
      log(`${operation.operationId} is no tool: it requires ${missing}, which no agent gives`);
  }
  recover(
    () => {
      const { securitySchemes, operations } = document;
      const named = settings.credential.map(({ scheme }) => scheme);
      requireKnownNames(named, [...securitySchemes.keys(), loginScheme], 'security scheme');
      requireKnownNames(tag, [...new Set(operations.flatMap(({ tags }) => tags))], 'tag');
      const ids = operations.map(({ operationId }) => operationId);
      requireKnownNames(only, ids, 'operation');
    },
    TypeError,
    ({ message }) => {
      // A sentence for who typed it; a TypeError is shown with its stack.
      throw new Error(message);
    },
  );
  const base = url && new URL(upstreamPrefix(url, document.basePath) + document.basePath, url);
  const server = new McpServer(document, schemaContext(document), {
    ...{ ...(tag.length > 0 && { tags: tag }), ...(only.length > 0 && { only }) },
    ...{ readOnly, allTools, maxResult, timeout },
    // Another server's responses are not ours to promise.
    outputs: base === undefined,
    url: base && (() => base.href.replace(/\/$/, '')),
  });
  const send =
    base === undefined ? await mockCalls(document) : upstreamCalls(document, base, settings, log);
  if (settings.http === undefined) await serveStdio(server, send, context);
  else await serveHttp(server, send, settings, context);
};

/** Makes the command. */
export const mcpCommand: MakeCommand = (context, finish) =>
  withReferences(new Command())
    .argument('<file>', 'the document, YAML or JSON')
    .option('--url <url>', 'the server that is called; without it mocks that remember', upstreamUrl)
    .addOption(
      listOption(
        '--credential <scheme=value>',
        'a key, a token, or user:password for HTTP Basic; may be given several times',
        credentialOption,
      ),
    )
    .option(
      '--http <port>',
      'listen at this port instead of stdio; 0 for any free one',
      wholeNumberOption(65_535),
    )
    .option('--host <address>', 'the address to listen at', '127.0.0.1')
    .option(
      '--timeout <seconds>',
      'the time for the server to answer',
      wholeNumberOption(86_400, 1),
      60,
    )
    .addOption(
      listOption(
        '--tag <name>',
        'the operations of a tag alone; may be given several times',
        String,
      ),
    )
    .addOption(
      listOption('--only <operation>', 'this operation alone; may be given several times', String),
    )
    .option('--read-only', 'the operations alone that change nothing')
    .option('--all-tools', 'list every operation as a tool, however many there are')
    .option(
      '--max-result <bytes>',
      'the length of a result',
      wholeNumberOption(16 * 1024 ** 2, 1024),
      32 * 1024,
    )
    .action(async (file: string, settings: McpSettings) => {
      await serveTools(file, settings, context);
      finish(exitCodes.clean);
    });
