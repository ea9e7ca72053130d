/** Serves documents of a temporary folder in this process, and keeps what is printed. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach } from '@jest/globals';
import { type ServerSettings, serveDocuments } from '../../../../src/tool/serve/server';
import { type Ask, askAt } from '../../../support/ask';
import { useTemporaryFolder } from '../../../support/temporary-folder';

/** A server and its output. */
interface Serving {
  readonly origin: string;
  readonly ask: Ask;
  out(): string;
  err(): string;
}

/** Writes a document of one operation, which answers a text. */
export const greeting = (operationId: string, more = '', text = 'hello'): string => `
openapi: 3.0.3
info: { title: Greetings of ${operationId}, version: '1' }
${more}
paths:
  /${operationId}/{name}:
    get:
      operationId: ${operationId}
      parameters: [{ name: name, in: path, required: true, schema: { type: string, maxLength: 5 } }]
      responses:
        '200':
          description: A greeting
          content: { application/json: { schema: { type: object, example: { text: ${text} } } } }
`;

/** Serves what a test writes into its folder; servers end with the test. */
export const useServing = () => {
  const folder = useTemporaryFolder();
  const running: Awaited<ReturnType<typeof serveDocuments>>[] = [];
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop();
  });
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(folder(name)), { recursive: true });
      writeFileSync(folder(name), text);
    }
  };
  const serve = async (settings: Partial<ServerSettings>): Promise<Serving> => {
    const printed = { out: '', err: '' };
    const server = await serveDocuments(
      {
        sources: [folder()],
        port: 0,
        host: '127.0.0.1',
        watch: false,
        handlers: undefined,
        validateResponses: false,
        allowRemote: false,
        cors: false,
        docs: true,
        ...settings,
      },
      {
        out: (text) => {
          printed.out += text;
        },
        err: (text) => {
          printed.err += text;
        },
      },
    );
    running.push(server);
    const { origin } = server;
    return { origin, ask: askAt(origin), out: () => printed.out, err: () => printed.err };
  };
  return { folder, write, serve };
};
