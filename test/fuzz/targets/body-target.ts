/** Bodies as requests carry them: the Content-Type, the Content-Encoding, and bytes that come in pieces. */

import { readFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FuzzTarget } from '../../../scripts/fuzz/target';
import { requestFuel } from '../../../src/base/fuel';
import { readLimits } from '../../../src/base/read-limits';
import { parseApiDocument } from '../../../src/engine/document/api-document';
import { schemaContext } from '../../../src/engine/media-types/schema-context';
import { compileBody } from '../../../src/engine/request-body/body';
import { bodyMemory } from '../../../src/http/request';
import { expectRefusal } from './reading';
import { loadDocuments } from './schemas';
import { tokens } from './tokens';

const limit = 1024 * 1024;

const text = readFileSync(join(__dirname, 'body-target.yaml'), 'utf8');

const disposition = 'Content-Disposition: form-data; name=';

const part = (head: string, body: string): string => `--b\r\n${head}\r\n\r\n${body}\r\n`;

const parts = [
  [part(`${disposition}"n"`, '1'), part(`${disposition}"s"`, 'é')],
  [
    part(`${disposition}"n"`, '1'),
    part(`${disposition}"f"; filename="a.png"\r\nX-A: 1\r\nContent-Type: image/png`, '\u0089PNG'),
  ],
  [
    part(`${disposition}"fs"; filename="a"`, ''),
    part(`${disposition}"fs"; filename*=UTF-8''%C3%A9`, 'b'),
  ],
  [part(`${disposition}"o"\r\nContent-Type: application/json`, '{"a":[1]}')],
  [part(`${disposition}"x"\r\nContent-Type: application/xml`, '<x><a>1</a></x>')],
  [
    part(`${disposition}u`, '{"k":"1"}'),
    part(`${disposition}l`, 'a'),
    part(`${disposition}l`, 'b'),
  ],
].map((some) => `${some.join('')}--b--\r\n`);

const seeds = [
  ...parts.map((body) => `\0multipart/form-data; boundary=b\n\n${body}`),
  ...parts.slice(0, 2).map((body) => `\u0002multipart/mixed; boundary="b"\n\n${body}`),
  '\0application/x-www-form-urlencoded\n\nn=1&l=a|b&o[a][]=1',
  '\0application/json; charset=utf-8\nidentity\n{"n":1}',
  '\0application/xml\n\n<?xml version="1.0"?><a/>',
  '\0application/yaml\n\nn: 1\n',
].map((seed) => Buffer.from(seed, 'latin1'));

/** A seed whose body is compressed, which no change of bytes would find. */
const compressed = Buffer.concat([Buffer.from('\0application/json\ngzip\n'), gzipSync('{"n":1}')]);

/** The first byte chooses the operation and the size of the pieces; two lines with headers, and the body. */
const split = (input: Uint8Array) => {
  const rest = Buffer.from(input.subarray(1));
  const first = rest.indexOf('\n');
  const second = first < 0 ? -1 : rest.indexOf('\n', first + 1);
  const lineTo = (start: number, end: number) => rest.subarray(start, end).toString('latin1');
  if (second < 0) return { type: rest.toString('latin1'), coding: '', body: Buffer.of() };
  return {
    type: lineTo(0, first),
    coding: lineTo(first + 1, second),
    body: rest.subarray(second + 1),
  };
};

/** Returns the request as node:http would give it. */
const messageOf = ({ type, coding, body }: ReturnType<typeof split>, size: number) => {
  const message = new IncomingMessage(new Socket());
  message.headers = {
    'content-type': type,
    'transfer-encoding': 'chunked',
    ...(coding !== '' && { 'content-encoding': coding }),
  };
  for (let at = 0; at < body.length; at += size) message.push(body.subarray(at, at + size));
  message.push(null);
  return message;
};

/** Bodies of the operations that have one. */
export const bodyTarget = async (): Promise<FuzzTarget> => {
  const own = parseApiDocument('parts.yaml', text);
  const documents = [
    { operations: own.operations, tools: schemaContext(own) },
    ...(await loadDocuments()),
  ];
  const memory = bodyMemory(64 * limit);
  const bounds = { limit, memory };
  const sizes = { text: bounds, upload: bounds, limits: readLimits };
  const readers = documents.flatMap(({ operations, tools }) =>
    operations
      .filter(({ requestBody }) => requestBody !== undefined)
      .map((operation) => compileBody(operation, sizes, tools)),
  );
  return {
    tokens: tokens.multipart,
    seeds: [...seeds, compressed],
    isTimed: true,
    async run(input) {
      const [choice = 0] = input;
      const reader = readers[(choice >> 1) % readers.length];
      if (reader === undefined) throw new Error('There is no operation with a body');
      const body = messageOf(
        split(input),
        choice % 2 === 0 ? 65_536 : Math.ceil(7 + input.length / 64),
      );
      const { headers } = body;
      const client = () => ({ address: '127.0.0.1', secure: false });
      const request = { method: 'POST', target: '/', headers, body, client };
      await reader(request, requestFuel())
        .then(undefined, expectRefusal)
        .finally(() => memory.release(request));
    },
  };
};
