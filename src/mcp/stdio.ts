/** stdio: a message in each line, and its response in a line (Model Context Protocol 2026-07-28, stdio). */

import { parseJsonStrictly } from '../base/json/json-parser';
import { MalformedText } from '../base/malformed-text';
import { errorCodes, errorReply, ProtocolError, readMessage } from './messages';
import type { McpServer, SendCall } from './protocol';

/** Yields the lines of a text in chunks; undefined in place of one that is too long. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  let line = '';
  let isTooLong = false;
  // Characters of a line.
  const longestLine = 16 * 1024 * 1024;
  for await (const chunk of chunks) {
    const [first = '', ...others] = chunk.split('\n');
    line += first;
    for (const next of others) {
      yield isTooLong ? undefined : line;
      line = next;
      isTooLong = false;
    }
    isTooLong ||= line.length > longestLine;
    if (isTooLong) line = '';
  }
  if (line.trim() !== '') yield line;
}

/**
 * Serves the messages of a client, several at once. Resolves when there are no more, and all have been answered.
 * @param input texts in UTF-8
 * @param write writes a line
 * @param failed gets what fails in this program
 */
export const serveLines = async (
  server: McpServer,
  input: AsyncIterable<string>,
  write: (line: string) => void,
  send: SendCall,
  failed: (error: unknown) => void,
): Promise<void> => {
  const running = new Map<string | number, AbortController>();
  const pending = new Set<Promise<void>>();
  const answer = async (line: string | undefined): Promise<void> => {
    if (line === undefined)
      throw new ProtocolError(errorCodes.invalidRequest, 'The message is too long');
    const message = readMessage(parseJsonStrictly(line));
    const { id, method, params } = message;
    if (method === 'notifications/cancelled') {
      running.get(params['requestId'] as string | number)?.abort();
      return;
    }
    const controller = new AbortController();
    const { signal } = controller;
    if (id !== undefined) running.set(id, controller);
    const reply = await server.answer(message, send, signal).catch((error: unknown) => {
      // What is not wanted any more may end in any way.
      if (!signal.aborted) failed(error);
      const told = new ProtocolError(errorCodes.internal, 'The server failed to answer');
      return errorReply(id, told);
    });
    if (id !== undefined) running.delete(id);
    if (reply !== undefined && !signal.aborted) write(`${reply.text}\n`);
  };
  for await (const line of linesOf(input)) {
    if (line?.trim() === '') continue;
    const work = answer(line).catch((error: unknown) => {
      const malformed =
        error instanceof MalformedText &&
        new ProtocolError(errorCodes.malformed, `The line is not JSON: ${error.message}`);
      const told = malformed || error;
      if (told instanceof ProtocolError) write(`${errorReply(undefined, told).text}\n`);
      else failed(error);
    });
    pending.add(work);
    void work.finally(() => pending.delete(work));
  }
  await Promise.all(pending);
};
