/** Turns the answer to a call into the result of a tool, no longer than an agent has room for. */

import { isTextType, type ParsedMediaType, parseMediaType } from '../base/media-type';
import { attempt } from '../base/recover';
import type { HttpError } from '../http/http-error';
import { type PlainResponse, respond } from '../http/plain';
import type { HttpRequest } from '../http/request';
import { responseFinder } from '../model/operation';
import type { OperationTool } from './tools';

/** The answer to a call. */
export interface CallAnswer extends PlainResponse {
  /** The failure that it reports, with its places, where the program that answers knows it. */
  readonly failure?: HttpError | undefined;
  /** Sentences about an answer that does not fit the document; undefined where it has not been held to it. */
  readonly problems?: readonly string[] | undefined;
  /** True where more would have come, which was not waited for. */
  readonly isCut?: boolean;
}

/**
 * Sends the request of a call to a service of this process. Resolves to its answer, with the failure that it reports.
 * @param host the request that the call came in, and the outcome that is filled for its log
 */
export const askService = async (
  serve: Parameters<typeof respond>[0],
  request: HttpRequest,
  host: Parameters<typeof respond>[2] = {},
): Promise<CallAnswer> => {
  const { outcome = {} } = host;
  const answered = await respond(serve, request, { ...host, outcome }, (response) => response);
  return { ...answered, failure: outcome.failure };
};

/** A part of a result (Model Context Protocol 2026-07-28, ContentBlock). */
type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly mimeType: string;
    };

/** The result of a call. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
  /** JSON, as it is sent. */
  readonly structured?: string | undefined;
}

/** Makes a result of a text. */
export const textResult = (text: string, isError = false): ToolResult => ({
  content: [{ type: 'text', text }],
  isError,
});

/** Reads a body as far as there is room, and as it comes in time; ends its source where more would come. */
const readBounded = async ({ body, isCut = false }: CallAnswer) => {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    return { bytes: Buffer.from(body ?? ''), isWhole: !isCut };
  }
  const mostBytes = 4 * 1024 * 1024;
  // Milliseconds after which a body that may have no end is left.
  const longestWait = 10_000;
  const chunks: Buffer[] = [];
  let size = 0;
  const iterator = body[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), longestWait);
  });
  try {
    while (size <= mostBytes) {
      const next = await Promise.race([iterator.next(), patience]);
      if (next === undefined) break;
      if (next.done) return { bytes: Buffer.concat(chunks), isWhole: true };
      const chunk = Buffer.from(next.value);
      chunks.push(chunk);
      size += chunk.length;
    }
    // It is not waited for, as a generator ends behind the item that it is making; its failure changes nothing here.
    void iterator.return?.().then(undefined, () => undefined);
    return { bytes: Buffer.concat(chunks).subarray(0, mostBytes), isWhole: false };
  } finally {
    clearTimeout(timer);
  }
};

/** A list in a JSON text: where its items begin and each of them ends, and where it does; undefined if that is cut off. */
interface TextList {
  readonly depth: number;
  readonly start: number;
  readonly ends: number[];
  end: number | undefined;
}

/** Yields what structures a JSON text, outside of its strings, with the depth of the list or object that it belongs to. */
function* structureOf(json: string) {
  const marks = /["\\[\]{},]/g;
  let isInString = false;
  let depth = 0;
  for (let found = marks.exec(json); found !== null; found = marks.exec(json)) {
    const { 0: mark, index } = found;
    if (mark === '\\') marks.lastIndex += 1;
    else if (mark === '"') isInString = !isInString;
    else if (!isInString) {
      if (mark === '[' || mark === '{') depth += 1;
      yield { mark, index, depth };
      if (mark === ']' || mark === '}') depth -= 1;
    }
  }
}

/** Finds the longest list that is a JSON text, or a member of it, in a text that may be cut off. */
const longestList = (json: string): TextList | undefined => {
  const lists: TextList[] = [];
  let open: TextList | undefined;
  for (const { mark, index, depth } of structureOf(json)) {
    if (open === undefined) {
      if (mark !== '[' || depth > 2) continue;
      open = { depth, start: index + 1, ends: [], end: undefined };
      lists.push(open);
    } else if (open.depth === depth && (mark === ',' || mark === ']')) {
      open.ends.push(index);
      if (mark === ',') continue;
      open.end = index;
      open = undefined;
    }
  }
  const length = ({ start, end = json.length }: TextList): number => end - start;
  return lists.toSorted((one, other) => length(other) - length(one))[0];
};

/** Characters of JSON that an agent's client reads for a text. */
const sizeOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** Returns the largest number up to a limit for which something fits, 0 where nothing does. */
const largestFitting = (limit: number, fits: (count: number) => boolean): number => {
  let [least, most] = [0, limit];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(middle)) least = middle;
    else most = middle - 1;
  }
  return least;
};

const cutPlain = (text: string, room: number): string => {
  const limit = Math.min(text.length, room);
  const length = largestFitting(limit, (count) => sizeOf(text.slice(0, count)) <= room);
  return text.slice(0, length).toWellFormed();
};

/** Keeps whole items of the longest list; undefined where no item fits, or there is no list. */
const cutList = (json: string, room: number) => {
  const list = longestList(json);
  if (list === undefined) return undefined;
  const { ends, end } = list;
  const isMember = json.trimStart().startsWith('{');
  const rest = end === undefined ? `]${isMember ? '}' : ''}` : json.slice(end);
  const keep = (count: number): string => json.slice(0, ends[count - 1]) + rest;
  const count = largestFitting(ends.length, (items) => {
    const candidate = keep(items);
    return candidate.length <= room && sizeOf(candidate) <= room;
  });
  if (count === 0) return undefined;
  const all = end === undefined ? 'more than are read here' : String(ends.length);
  return { kept: keep(count), said: `Items 1 to ${count} of ${all}` };
};

/**
 * Cuts a text to the room that there is, and says what is left out, and which arguments narrow it. `json` is the JSON that is left of it,
 * undefined where none is.
 */
const fitText = (
  text: string,
  { isWhole, isJson }: { readonly isWhole: boolean; readonly isJson: boolean },
  most: number,
  narrowing: readonly string[],
) => {
  if (isWhole && sizeOf(text) <= most) return { text, json: isJson ? text : undefined };
  const names = narrowing.slice(0, 8).map((name) => `query.${name}`);
  const advice = names.length > 0 ? `; narrow with: ${names.join(', ')}` : '';
  const room = Math.max(0, most - 400);
  const list = isJson ? cutList(text, room) : undefined;
  if (list !== undefined) return { text: `${list.kept}\n${list.said}${advice}`, json: list.kept };
  const kept = cutPlain(text, room);
  const all = isWhole ? String(text.length) : 'more than are read here';
  const said = `Characters 1 to ${kept.length} of ${all}${advice}`;
  return { text: `${kept}\n${said}`, json: undefined };
};

const withExactNumbers = (json: string): string =>
  /\d[\d.]{15}/.test(json)
    ? json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
        /^-?[\d.]{16,}$/.test(token) && String(Number(token)) !== token ? `"${token}"` : token,
      )
    : json;

/**
 * Says what a failure says: the sentence, and each fault with its place among the arguments.
 * @param said what the response says of it already
 */
export const failureText = (status: number, failure: HttpError | undefined, said = ''): string => {
  const isSaid = (text: string): boolean => said.includes(JSON.stringify(text).slice(1, -1));
  const { message = '', errors = [] } = failure ?? {};
  const faults = errors
    .filter((fault) => !isSaid(fault.message))
    .map(({ in: place, path, message: rule }) => {
      const isPointer = path === '' || path.startsWith('/');
      return `- ${place}${isPointer ? path : `.${path}`} ${rule}`;
    });
  return [`${status} ${isSaid(message) ? '' : message}`.trim(), ...faults].join('\n');
};

const headerLinesOf = ({ operation }: OperationTool, { status, headers }: CallAnswer): string[] => {
  const declared = responseFinder(operation.responses)(status)?.headers ?? [];
  const names = new Set([...declared.map(({ name }) => name.toLowerCase()), 'retry-after']);
  if (status >= 300 && status < 400) names.add('location');
  return headers
    .filter(([name]) => names.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}`);
};

/** Passes octets on as what they are, up to 1 MiB, where clients can show them; else says what they are, with a link where one leads to them. */
const mediaBlocks = (
  type: string,
  { bytes, isWhole }: { readonly bytes: Buffer; readonly isWhole: boolean },
  url: string | undefined,
): ContentBlock[] => {
  const kind = /^(?:image|audio)\//.exec(type)?.[0].slice(0, -1) as 'image' | 'audio' | undefined;
  if (kind !== undefined && isWhole && bytes.length <= 1024 * 1024) {
    return [{ type: kind, data: bytes.toString('base64'), mimeType: type }];
  }
  const size = isWhole ? `${bytes.length} bytes` : `more than ${bytes.length} bytes`;
  const link: ContentBlock[] =
    url === undefined ? [] : [{ type: 'resource_link', uri: url, name: type, mimeType: type }];
  return [{ type: 'text', text: `${size} of ${type}` }, ...link];
};

/** Finds the charset of a text: by its byte order mark, its Content-Type, or the declaration of XML (RFC 7303 section 3). */
const charsetIn = (bytes: Buffer, type: ParsedMediaType | undefined): string => {
  const start = bytes.toString('latin1', 0, 256);
  const mark = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be', '\xef\xbb': 'utf-8' }[
    start.slice(0, 2)
  ];
  const declared = /[/+]xml$/.test(type?.essence ?? '')
    ? /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)/.exec(start)?.[1]
    : undefined;
  return mark ?? type?.parameters['charset'] ?? declared ?? 'utf-8';
};

/** Decodes a text; what is none in its charset stays octets. */
const textOf = (
  { bytes, isWhole }: { readonly bytes: Buffer; readonly isWhole: boolean },
  type: ParsedMediaType | undefined,
) => {
  const charset = charsetIn(bytes, type);
  const text = attempt(() => {
    const decoder = new TextDecoder(charset, { fatal: true });
    // Whole texts of windows-1252 Node.js 20 takes for ISO-8859-1.
    return decoder.decode(bytes, { stream: true }) + (isWhole ? decoder.decode() : '');
  });
  const octets = `${bytes.length} bytes that are no text in ${charset}, in base64: `;
  return { text: text ?? octets + bytes.toString('base64'), isText: text !== undefined };
};

/** Tells whether a result is structured: where its tool promises one, or it is known to fit. */
const isStructured = ({ output, definition }: OperationTool, answer: CallAnswer): boolean =>
  output !== undefined &&
  answer.status < 400 &&
  (definition.outputSchema !== undefined || answer.problems?.length === 0);

/** Gives the structured result, which clients want of each tool that promises one: with no more than fits. */
const structuredOf = (
  { output, definition }: OperationTool,
  json: string | undefined,
): string | undefined => {
  const left = output?.isList ? '[]' : '{}';
  const exact = json === undefined ? definition.outputSchema && left : withExactNumbers(json);
  return exact && output?.isList ? `{"items":${exact}}` : exact;
};

/**
 * Makes the result of a call.
 * @param most bytes of the text of a result
 * @param url where the answer can be got again; undefined where it cannot be got by a GET
 */
export const toolResultOf = async (
  tool: OperationTool,
  answer: CallAnswer,
  most: number,
  url: string | undefined,
): Promise<ToolResult> => {
  const { status, headers, failure, problems = [] } = answer;
  const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const parsed = parseMediaType(contentType);
  const type = parsed?.essence ?? '';
  const body = await readBounded(answer);
  const isError = status >= 400;
  const notes = [...headerLinesOf(tool, answer), ...problems];
  const noteBlocks: ContentBlock[] =
    notes.length === 0 ? [] : [{ type: 'text', text: notes.join('\n') }];
  const content = (text: string): ToolResult['content'] => [{ type: 'text', text }, ...noteBlocks];
  const whole = textOf(body, parsed);
  // Parts may be texts or octets.
  const isOctets = !isTextType(type) && !(type.startsWith('multipart/') && whole.isText);
  if (!isError && type !== '' && isOctets) {
    return { content: [...mediaBlocks(type, body, url), ...noteBlocks], isError };
  }
  const isJson = whole.isText && /[/+]json$/.test(type);
  const narrowing = tool.parameters.filter(({ group }) => group === 'query').map(({ key }) => key);
  const hasStructure = isStructured(tool, answer);
  // The structured result is the same once more.
  const room = hasStructure ? Math.floor(most / 2) : most;
  const { text, json } = fitText(whole.text, { ...body, isJson }, room, narrowing);
  if (isError) {
    const said = cutPlain(failureText(status, failure, text), most);
    return { content: content(text === '' ? said : `${said}\n${text}`), isError };
  }
  const meaning = responseFinder(tool.operation.responses)(status)?.description ?? '';
  const shown = content(text === '' ? `${status} ${meaning}`.trim() : text);
  const structured = hasStructure ? structuredOf(tool, json) : undefined;
  return { content: shown, isError, structured };
};
