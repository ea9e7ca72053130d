/** The proxy: passes requests to the upstream, holds both ways to the document, and refuses, marks or reports what does not fit. */

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { errorMessage } from '../../base/error-message';
import { type ApiDocument, type SchemaContext, schemaContext } from '../../engine';
import { asHttpError, HttpError } from '../../http/http-error';
import { continueWhenRead } from '../../http/listening';
import { bodyAnnounced, type HttpRequest, headFault } from '../../http/request';
import { type HttpResponse, send } from '../../http/send';
import { apiKeysIn } from '../../model/document';
import {
  checkedBytes,
  checkResponse,
  type Findings,
  type RequestVerdict,
  requestChecker,
  requestFindings,
  type Violation,
} from './check-messages';
import { bodyEnd, compileMockAnswer, isMissing, isRefusal } from './mock-missing';
import {
  BodyCopy,
  brokenOff,
  pairsOf,
  passOn,
  passTrailers,
  readAhead,
  sendHead,
  takeOffHeaders,
  type Upstream,
  upstreamPrefix,
} from './pass-on';

/** The treatments of messages that do not fit: marking them, refusing them, or changing nothing. */
export const modes = ['annotate', 'block', 'report'] as const;

/** A request and its response, and what was found so far. */
export interface Passage {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Of both bodies, until `onPassed` has returned; that of the request is the first, and gone before where no use is made of it. */
  readonly copies: BodyCopy[];
  verdict: RequestVerdict;
  ofRequest: Findings;
  /** The response of the upstream; undefined where it was not asked, or did not answer. */
  answer: IncomingMessage | undefined;
  ofResponse: Findings;
  /** The reason why the upstream's response did not reach the client as a whole. */
  problem: string | undefined;
}

/** The settings of a proxy. */
export interface ProxyOptions extends Pick<Upstream, 'upstream' | 'timeout'> {
  readonly mode: (typeof modes)[number];
  /** True: mocks answer in place of operations that the upstream does not have. */
  readonly mockMissing?: boolean;
  /** True: `onPassed` gets the bodies, and the upstream is asked for those of responses without a Content-Encoding. */
  readonly keepsBodies?: boolean;
  readonly onPassed: (passage: Passage, milliseconds: number) => void;
  readonly onError: (message: string) => void;
}

interface Proxy extends ProxyOptions, Upstream {
  readonly checker: ReturnType<typeof requestChecker>;
  readonly tools: SchemaContext;
  readonly room: { bytes: number };
  /** Undefined where the upstream answers alone. */
  readonly mockAnswer: ReturnType<typeof compileMockAnswer> | undefined;
}

const nothing: Findings = { violations: [], unchecked: undefined, key: undefined };

/** Lists what was not checked, and why. */
export const uncheckedOf = ({ ofRequest, ofResponse }: Passage): readonly string[] => [
  ...(ofRequest.unchecked === undefined ? [] : [`request: ${ofRequest.unchecked}`]),
  ...(ofResponse.unchecked === undefined ? [] : [`response: ${ofResponse.unchecked}`]),
];

/** Lists the violations on both ways. */
export const violationsOf = ({ ofRequest, ofResponse }: Passage): readonly Violation[] => [
  ...ofRequest.violations,
  ...ofResponse.violations,
];

const marksOf = ({ mode }: Proxy, passage: Passage): readonly [name: string, lines: string[]][] => {
  if (mode === 'report') return [];
  const violations = mode === 'annotate' ? violationsOf(passage) : [];
  const lines = violations.map(({ on, rule, sentence }) => `${on} ${rule}: ${sentence}`);
  const headerText = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200);
  return [
    ['X-Spec-First-Violations', mode === 'annotate' ? [String(lines.length)] : []],
    ['X-Spec-First-Violation', lines.slice(0, 5).map(headerText)],
    ['X-Spec-First-Unchecked', uncheckedOf(passage).map(headerText)],
  ];
};

const sendOwn = async (proxy: Proxy, passage: Passage, own: HttpResponse): Promise<void> => {
  const marks = marksOf(proxy, passage).filter(([, lines]) => lines.length > 0);
  const headers = { ...own.headers, ...Object.fromEntries(marks) };
  await send(passage.request, passage.response, { ...own, headers });
};

/** Gives back the room of the request's body, unless mocks or a recording need it. */
const releaseRequest = ({ mockAnswer, keepsBodies }: Proxy, copy: BodyCopy): void => {
  if (mockAnswer === undefined && keepsBodies !== true) copy.release();
};

const checkRequest = async (
  { checker }: Proxy,
  passage: Passage,
  body: AsyncIterable<Uint8Array>,
  headers: HttpRequest['headers'],
): Promise<void> => {
  const { method = 'GET', url = '/', socket } = passage.request;
  const client = () => ({ address: socket.remoteAddress ?? '', secure: false });
  passage.verdict = await checker.check({ method, target: url, headers, body, client });
  passage.ofRequest = requestFindings(passage.verdict.failure);
};

/** Checks the copy of a request that was passed on; a body that is not there as a whole is called too large to be checked. */
const checkCopy = async (proxy: Proxy, passage: Passage, copy: BodyCopy): Promise<void> => {
  const { request } = passage;
  const hasEnded = request.readableEnded || !bodyAnnounced(request);
  const isWhole = hasEnded && copy.isKept;
  const { bytes } = copy;
  const body = Readable.from(isWhole && bytes.length > 0 ? [bytes] : []);
  const headers = isWhole ? request.headers : { ...request.headers, 'content-length': '1e15' };
  await checkRequest(proxy, passage, body, headers);
  const { violations, unchecked } = passage.ofRequest;
  if (unchecked === undefined || hasEnded) return;
  passage.ofRequest = { violations, unchecked: 'The response came before the end of the body' };
};

/**
 * Tells whether a response is kept back until its body is checked: its head, which goes out first, depends on that. Bytes and
 * lists without an end are passed on while they come.
 */
const isKeptBack = (
  { mode, tools, mockAnswer }: Proxy,
  { request, verdict }: Passage,
  answer: IncomingMessage,
) =>
  (mode !== 'report' || (mockAnswer !== undefined && answer.statusCode === 404)) &&
  verdict.operation !== undefined &&
  request.method !== 'HEAD' &&
  Number(answer.headers['content-length'] ?? 0) <= checkedBytes.text &&
  tools.codecs.codecFor(answer.headers['content-type'] ?? '') !== undefined;

/** Checks the upstream's response: its head alone without a copy of its body. */
const checkAnswer = async (
  { tools, onError }: Proxy,
  passage: Passage,
  answer: IncomingMessage,
  copy: BodyCopy | undefined,
): Promise<void> => {
  const { operation, failure } = passage.verdict;
  if (operation === undefined) return;
  const { statusCode: status = 0, headers: read } = answer;
  const headers = pairsOf(answer.rawHeaders);
  const coding = read['content-encoding'];
  const body = copy?.isKept ? copy.bytes : undefined;
  const { method = '', rawHeaders } = passage.request;
  const asked = { method, headers: pairsOf(rawHeaders) };
  const received = { status, headers, coding, body };
  passage.ofResponse = await checkResponse(operation, asked, failure, received, tools).catch(
    (error: unknown) => {
      onError(`A response of ${operation.operationId} cannot be checked: ${errorMessage(error)}`);
      return { ...nothing, unchecked: 'It cannot be checked' };
    },
  );
  const isTooLong = copy?.isKept === false || Number(read['content-length']) > checkedBytes.text;
  if (!isTooLong || method === 'HEAD') return;
  passage.ofResponse = { ...passage.ofResponse, unchecked: 'The body is longer than 1 MiB' };
};

const sendMock = async (proxy: Proxy, passage: Passage, answer: IncomingMessage): Promise<void> => {
  const { request, copies } = passage;
  answer.destroy();
  // The observations are of what the upstream has.
  passage.answer = undefined;
  passage.ofResponse = nothing;
  passage.problem = `A mock answered: the upstream server does not have the operation (${answer.statusCode})`;
  const mocked = await proxy.mockAnswer?.(request, copies[0]?.bytes);
  if (mocked !== undefined) await sendOwn(proxy, passage, mocked);
};

const deliver = async (proxy: Proxy, passage: Passage, answer: IncomingMessage): Promise<void> => {
  const { response } = passage;
  const copy = new BodyCopy(checkedBytes.text, proxy.room);
  passage.copies.push(copy);
  passage.answer = answer;
  const ahead = isKeptBack(proxy, passage, answer)
    ? await readAhead(answer, copy, proxy)
    : undefined;
  await checkAnswer(proxy, passage, answer, ahead && copy);
  if (proxy.mockAnswer && isMissing(passage, answer)) return sendMock(proxy, passage, answer);
  const { violations } = passage.ofResponse;
  if (proxy.mode === 'block' && violations.length > 0) {
    answer.destroy();
    const sentences = violations.map(({ sentence }) => sentence).join('. ');
    const message = `The response of the upstream server does not fit the document. ${sentences}.`;
    const errors = violations.map(
      ({ place: path, sentence }) => ({ in: 'body', path, message: sentence }) as const,
    );
    throw new HttpError(502, 'unavailable', message, { errors });
  }
  const marks = marksOf(proxy, passage).flatMap(([name, lines]) =>
    lines.flatMap((line) => [name, line]),
  );
  const headers = [...answer.rawHeaders, ...marks];
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, headers);
  sendHead(response);
  async function* body(): AsyncGenerator<Buffer> {
    yield* ahead ?? [];
    for await (const chunk of answer) {
      copy.take(chunk);
      yield chunk;
    }
    passTrailers(answer, response, proxy);
  }
  await pipeline(body, response, { end: false });
  if (ahead === undefined) await checkAnswer(proxy, passage, answer, copy);
  response.end();
};

const copyWhenRead = ({ room }: Proxy, { request, copies }: Passage): BodyCopy => {
  const copy = new BodyCopy(checkedBytes.upload, room);
  copies.push(copy);
  request.once('resume', () => request.on('data', (chunk: Buffer) => copy.take(chunk)));
  return copy;
};

/** Passes the request on while it comes, and checks its copy when the upstream has answered. */
const observe = async (proxy: Proxy, passage: Passage): Promise<void> => {
  const { request, response } = passage;
  const copy = copyWhenRead(proxy, passage);
  const answering = passOn(request, response, proxy, undefined);
  const refusal = proxy.mockAnswer && (await answering.catch(() => undefined));
  if (refusal && isRefusal(refusal)) await bodyEnd(request);
  await Promise.allSettled([answering]);
  await checkCopy(proxy, passage, copy);
  releaseRequest(proxy, copy);
  await deliver(proxy, passage, await answering);
};

/** Refuses a field that has one value and comes with several: of these node:http shows the check the first alone. */
const refuseRepeated = ({ headers, headersDistinct }: IncomingMessage): void => {
  for (const [name, [first, ...others] = []] of Object.entries(headersDistinct)) {
    if (headers[name] !== first || others.every((other) => other === first)) continue;
    throw new HttpError(400, 'malformed-request', `The request has more than one ${name} header`);
  }
};

const guard = async (proxy: Proxy, passage: Passage): Promise<void> => {
  const { request, response } = passage;
  let isRead = false;
  request.once('resume', () => {
    isRead = true;
  });
  const copy = copyWhenRead(proxy, passage);
  if (request.headers.expect !== undefined) continueWhenRead(request, response);
  await checkRequest(proxy, passage, request, request.headers);
  const { refusal } = passage.verdict;
  if (refusal !== undefined) return sendOwn(proxy, passage, refusal);
  if (isRead) await finished(request, { writable: false });
  // Items have no bound but that of each.
  if (copy.isTooLong) throw new HttpError(413, 'body-too-large', 'The body is longer than 10 MiB');
  if (!copy.isKept) {
    throw new HttpError(503, 'unavailable', 'Too many bodies are being received. Try again.');
  }
  const answer = await passOn(request, response, proxy, isRead ? copy.bytes : undefined);
  releaseRequest(proxy, copy);
  await deliver(proxy, passage, answer);
};

const answerFailure = async (proxy: Proxy, passage: Passage, error: unknown): Promise<void> => {
  const { request, response, verdict } = passage;
  if (response.headersSent || response.destroyed) {
    passage.problem = response.destroyed ? 'The client left' : brokenOff;
    response.destroy();
    return;
  }
  const failure = asHttpError(error);
  passage.problem = failure.message;
  // That of the upstream is not for this response.
  response.statusMessage = '';
  if (failure.code === 'internal') proxy.onError(errorMessage(error));
  const own = proxy.checker.writeError(verdict.operation, failure, request.headers.accept);
  await sendOwn(proxy, passage, own);
};

const pass = async (proxy: Proxy, request: IncomingMessage, response: ServerResponse) => {
  const started = performance.now();
  const passage: Passage = {
    request,
    response,
    copies: [],
    verdict: { operation: undefined, failure: undefined, refusal: undefined },
    ofRequest: nothing,
    answer: undefined,
    ofResponse: nothing,
    problem: undefined,
  };
  try {
    const fault = headFault(request);
    if (fault !== undefined) {
      response.shouldKeepAlive = false;
      throw fault;
    }
    if (/\bwebsocket\b/i.test(request.headers.upgrade ?? '')) {
      const message =
        'WebSocket connections are not passed on. Connect to the upstream server itself.';
      throw new HttpError(501, 'not-implemented', message);
    }
    if (proxy.mode === 'block') refuseRepeated(request);
    takeOffHeaders(request, proxy.keepsBodies ? ['accept-encoding'] : []);
    // Without the header, any coding would do (RFC 9110 section 12.5.3).
    if (proxy.keepsBodies) request.rawHeaders.push('Accept-Encoding', 'identity');
    await (proxy.mode === 'block' ? guard : observe)(proxy, passage);
  } catch (error) {
    await answerFailure(proxy, passage, error);
  } finally {
    // The rest of a body that is not needed: the response must reach a client that is still sending.
    request.resume();
    proxy.onPassed(passage, performance.now() - started);
    for (const copy of passage.copies) copy.release();
  }
};

/** Makes the proxy of a document; it does not listen yet. */
export const proxyServer = (document: ApiDocument, options: ProxyOptions): Server => {
  const proxy: Proxy = {
    ...options,
    checker: requestChecker(document, options.onError),
    tools: schemaContext(document),
    mockAnswer: options.mockMissing ? compileMockAnswer(document, options.onError) : undefined,
    room: { bytes: checkedBytes.all },
    prefix: upstreamPrefix(options.upstream, document.basePath),
    keyHeaders: new Set(apiKeysIn('header', document).map((name) => name.toLowerCase())),
  };
  const listener: RequestListener = (request, response) => {
    pass(proxy, request, response).catch((error: unknown) => {
      response.destroy();
      options.onError(errorMessage(error));
    });
  };
  const server = createServer({ insecureHTTPParser: false }, listener);
  return server.on('checkContinue', (request, response) => {
    // Whether the body of such a request comes is not certain, and so neither is where the next one begins.
    response.shouldKeepAlive = false;
    listener(request, response);
  });
};
