/** Takes apart what a server sends on one connection, and refuses what is no HTTP/1.1 (RFC 9112). */

const statusLine = /^HTTP\/1\.1 ([1-5]\d\d) [\t\x20-\x7e\x80-\xff]*$/;
const fieldLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t ]*[\t\x20-\x7e\x80-\xff]*$/;

interface Head {
  readonly status: number;
  readonly fields: ReadonlyMap<string, string>;
  /** The index of the content. */
  readonly end: number;
}

const headAt = (text: string, from: number): Head => {
  const end = text.indexOf('\r\n\r\n', from);
  if (end < 0)
    throw new Error(`A head without an end: ${JSON.stringify(text.slice(from, from + 200))}`);
  const [first = '', ...lines] = text.slice(from, end).split('\r\n');
  const status = Number(statusLine.exec(first)?.[1]);
  const wrong = lines.find((line) => !fieldLine.test(line));
  if (!(status > 0) || wrong !== undefined) {
    throw new Error(`No head: ${JSON.stringify(wrong ?? first)}`);
  }
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status, fields: new Map(fields), end: end + 4 };
};

/** Finds the end of chunked content. */
const endOfChunks = (text: string, from: number): number => {
  let at = from;
  for (;;) {
    const [line, digits = ''] = /^([0-9a-f]+)\r\n/i.exec(text.slice(at, at + 20)) ?? [];
    if (line === undefined) throw new Error(`No chunk: ${JSON.stringify(text.slice(at, at + 20))}`);
    const size = Number.parseInt(digits, 16);
    at += line.length + size;
    if (text.slice(at, at + 2) !== '\r\n') throw new Error('A chunk without an end');
    at += 2;
    if (size === 0) return at;
  }
};

const endOfContent = (text: string, { status, fields, end }: Head): number => {
  if (status < 200 || status === 204 || status === 304) return end;
  // A response to HEAD says what it would have; whether it is one is not known here.
  if (end === text.length || text.startsWith('HTTP/1.1 ', end)) return end;
  if (fields.get('transfer-encoding') === 'chunked') return endOfChunks(text, end);
  const length = fields.get('content-length');
  if (length === undefined) return text.length;
  if (end + Number(length) > text.length)
    throw new Error('Content that is shorter than its length');
  return end + Number(length);
};

/**
 * The statuses of the responses in a text with a character for each byte.
 * @throws Error where it is anything else than whole responses
 */
export const statusesOf = (text: string): number[] => {
  const statuses: number[] = [];
  for (let at = 0; at < text.length; ) {
    const head = headAt(text, at);
    statuses.push(head.status);
    at = endOfContent(text, head);
  }
  return statuses;
};
