/** The messages of the Model Context Protocol: what each method answers, in the revision of its caller. */

import type { PlainObject } from '../base/plain-object';
import { joinInSteps } from '../base/run-in-steps';
import { nearestName } from '../base/text/nearest-name';
import { programVersion } from '../base/text/program-version';
import { usableJson } from '../document/document-texts';
import type { ApiDocument, SchemaContext } from '../engine';
import { HttpError } from '../http/http-error';
import { isSafeMethod } from '../http/request';
import { type Operation, requestMethod } from '../model/operation';
import type { OutgoingRequest } from '../requests/request-case';
import { withHeader } from '../requests/request-case';
import { requestOf } from './arguments';
import {
  checkMeta,
  errorCodes,
  errorReply,
  type McpMessage,
  type McpReply,
  metaOf,
  namedVersion,
  ProtocolError,
  sessionVersions,
  statelessVersion,
} from './messages';
import { type CallAnswer, failureText, type ToolResult, textResult, toolResultOf } from './result';
import { callSearchTool, mostListed, searchTools } from './search';
import { plainText } from './tool-schema';
import { type OperationTool, type ToolChoice, type ToolDefinition, toolsOf } from './tools';

/** An error of a call that nothing has answered; its message is fit for agents. */
export class CallFailure extends Error {}

/** Sends the request of a call to an operation, and resolves to its answer. Rejects with a CallFailure where none comes. */
export type SendCall = (
  request: OutgoingRequest,
  operation: Operation,
  signal: AbortSignal | undefined,
) => Promise<CallAnswer>;

/** The settings of a server of tools. */
export interface McpOptions extends ToolChoice {
  /** True: every operation is listed as a tool, however many there are. */
  readonly allTools?: boolean;
  /** Bytes of the text of a result: 32 KiB. */
  readonly maxResult?: number;
  /** Seconds for an answer to begin: 60. */
  readonly timeout?: number;
  /** Gives the URL that the paths of the document are below, for links to what has no place in a result. */
  readonly url?: (() => string) | undefined;
}

/** The members of a result, and of a structured one its JSON. */
interface MethodResult {
  readonly members: PlainObject;
  readonly structured?: string | undefined;
  /** The answer to the call, whose status and challenge a transport may show. */
  readonly answer?: CallAnswer | undefined;
}

const PAGE = 100;

/** The tools of a document, and the answers to the messages about them. */
export class McpServer {
  readonly document: ApiDocument;
  readonly #tools: SchemaContext;
  readonly #options: McpOptions;
  readonly #operations: readonly OperationTool[];
  readonly #listed: readonly { readonly definition: ToolDefinition }[];
  readonly #searches: boolean;

  constructor(document: ApiDocument, tools: SchemaContext, options: McpOptions = {}) {
    this.document = document;
    this.#tools = tools;
    this.#options = options;
    this.#operations = toolsOf(document, tools, options);
    this.#searches = !options.allTools && this.#operations.length > mostListed;
    const changes = this.#operations.some(({ isReading }) => !isReading);
    this.#listed = this.#searches
      ? Object.values(searchTools)
          .filter(({ annotations }) => annotations.readOnlyHint || changes)
          .map((definition) => ({ definition }))
      : this.#operations;
  }

  /**
   * Answers a message; undefined where it is a notification. Rejects with what fails in this program.
   * @param send sends the requests of its caller
   * @param signal aborts when the caller has left, or does not want the answer any more
   */
  async answer(
    message: McpMessage,
    send: SendCall,
    signal?: AbortSignal,
  ): Promise<McpReply | undefined> {
    const { id } = message;
    if (id === undefined) return undefined;
    try {
      checkMeta(message);
      const isStateless = namedVersion(message) !== undefined;
      const asked = await this.#methodResult(message, isStateless, send, signal);
      const { members, structured, answer } = asked;
      const _meta = { 'io.modelcontextprotocol/serverInfo': this.#info };
      const result = isStateless ? { resultType: 'complete', _meta, ...members } : members;
      const written = JSON.stringify(result);
      const whole =
        structured === undefined
          ? written
          : `${written.slice(0, -1)},"structuredContent":${structured}}`;
      return { text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${whole}}`, answer };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return errorReply(id, error);
    }
  }

  get #info() {
    const { title, version } = this.document.info;
    return { name: this.document.name, title: plainText(title, 120), version: String(version) };
  }

  get #greeting(): PlainObject {
    const { title, description = '' } = this.document.info;
    const how = this.#searches
      ? '\nThe API has many operations: search for those that you need, describe them, then call them.'
      : '';
    return {
      capabilities: { tools: {}, resources: {} },
      serverInfo: this.#info,
      instructions: plainText(`${title}\n${description}`, 1000) + how,
    };
  }

  async #methodResult(
    { method, params, ...message }: McpMessage,
    isStateless: boolean,
    send: SendCall,
    signal: AbortSignal | undefined,
  ): Promise<MethodResult> {
    const cached = { ttlMs: 60_000, cacheScope: 'public' };
    const named = `Unknown method: ${plainText(method, 64)}`;
    const unknown = new ProtocolError(errorCodes.unknownMethod, named);
    // Methods of sessions, which this revision does without.
    if (isStateless && (method === 'initialize' || method === 'ping')) throw unknown;
    switch (method) {
      case 'initialize': {
        const wanted = String(params['protocolVersion']);
        const protocolVersion = sessionVersions.includes(wanted) ? wanted : sessionVersions[0];
        return { members: { protocolVersion, ...this.#greeting } };
      }
      case 'server/discover': {
        const supportedVersions = [statelessVersion, ...sessionVersions];
        return { members: { supportedVersions, ...this.#greeting, ...cached } };
      }
      case 'ping':
        return { members: {} };
      case 'tools/list':
        return { members: { ...this.#page(params['cursor']), ...cached } };
      case 'tools/call':
        return this.#callTool(params, this.#traced({ method, params, ...message }, send), signal);
      case 'resources/list':
        return { members: { resources: [this.#resource], ...cached } };
      case 'resources/templates/list':
        return { members: { resourceTemplates: [], ...cached } };
      case 'resources/read':
        return {
          members: { contents: [await this.#readResource(params['uri'], isStateless)], ...cached },
        };
      default:
        throw unknown;
    }
  }

  #page(cursor: unknown): PlainObject {
    const text = cursor ?? '0';
    const start = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : -1;
    if (start % PAGE !== 0 || start < 0 || start >= Math.max(1, this.#listed.length)) {
      throw new ProtocolError(errorCodes.invalidParameters, 'The cursor is none that was given');
    }
    const tools = this.#listed.slice(start, start + PAGE).map(({ definition }) => definition);
    const next = start + PAGE;
    return next < this.#listed.length ? { tools, nextCursor: String(next) } : { tools };
  }

  get #resource() {
    const { name, info } = this.document;
    const uri = `openapi://${encodeURIComponent(name)}`;
    return { uri, name, title: plainText(info.title, 120), mimeType: 'application/json' };
  }

  async #readResource(uri: unknown, isStateless: boolean) {
    const { uri: own, mimeType } = this.#resource;
    if (uri === own) return { uri, mimeType, text: await joinInSteps(usableJson(this.document)) };
    const code = isStateless ? errorCodes.invalidParameters : errorCodes.unknownResource;
    const message = `There is no resource ${plainText(String(uri), 200)}, but ${own}`;
    throw new ProtocolError(code, message, { uri: String(uri) });
  }

  /** Adds the trace that a message belongs to (W3C Trace Context) to the requests that it causes. */
  #traced(message: McpMessage, send: SendCall): SendCall {
    const meta = metaOf(message);
    const named = ['traceparent', 'tracestate', 'baggage'].flatMap((name): [string, string][] => {
      const value = meta[name];
      const isUsable = typeof value === 'string' && /^[\x20-\x7e]{1,8192}$/.test(value);
      return isUsable ? [[name, value]] : [];
    });
    return (request, ...call) => {
      const traced = named.reduce((one, [name, value]) => withHeader(one, name, value), request);
      return send(traced, ...call);
    };
  }

  async #callTool(
    params: PlainObject,
    send: SendCall,
    signal: AbortSignal | undefined,
  ): Promise<MethodResult> {
    const { name, arguments: given } = params;
    let answer: CallAnswer | undefined;
    const call = async (tool: OperationTool, input: unknown): Promise<ToolResult> => {
      const answered = await this.#callOperation(tool, input, send, signal);
      answer = answered.answer;
      return answered.result;
    };
    const tool = this.#searches ? undefined : this.#operations.find((one) => one.name === name);
    const result =
      tool === undefined
        ? this.#searches && (await callSearchTool(this.#operations, String(name), given, call))
        : await call(tool, given);
    if (!result) {
      const names = this.#listed.map(({ definition }) => definition.name);
      const near = nearestName(String(name), names);
      const hint = near === undefined ? '' : `. Did you mean ${near}?`;
      const message = `Unknown tool: ${plainText(String(name), 64)}${hint}`;
      throw new ProtocolError(errorCodes.invalidParameters, message);
    }
    const { content, isError, structured } = result;
    return { members: isError ? { content, isError } : { content }, structured, answer };
  }

  async #callOperation(
    tool: OperationTool,
    given: unknown,
    send: SendCall,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly result: ToolResult; readonly answer?: CallAnswer }> {
    const { maxResult = 32 * 1024, timeout = 60, url } = this.#options;
    let request: OutgoingRequest;
    try {
      request = requestOf(tool, given, this.#tools);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return { result: textResult(failureText(error.status, error), true) };
    }
    // XML and HTML are of no use to an agent where there is anything else.
    const accepted = 'application/json, application/problem+json, */*;q=0.5';
    const accepting = withHeader(request, 'Accept', accepted);
    const call = new AbortController();
    const ended = AbortSignal.any([call.signal, ...(signal ? [signal] : [])]);
    const timer = setTimeout(() => call.abort(), timeout * 1000);
    const late = new Promise<never>((_, reject) => {
      const failure = new CallFailure(`no whole answer within ${timeout} seconds`);
      ended.addEventListener('abort', () => reject(failure));
    });
    try {
      const answer = await Promise.race([send(accepting, tool.operation, ended), late]);
      clearTimeout(timer);
      const isLinked = url !== undefined && isSafeMethod(requestMethod(tool.operation.method));
      const link = isLinked ? url() + request.target : undefined;
      return { result: await toolResultOf(tool, answer, maxResult, link), answer };
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      return { result: textResult(`The call failed: ${error.message}`, true) };
    } finally {
      clearTimeout(timer);
      // As where a connection closes: what is still made for the answer ends.
      call.abort();
    }
  }
}

/** The program, where it calls others. */
export const userAgent = `spec-first/${programVersion()}`;
