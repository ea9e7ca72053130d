/** Which headers announce a body. */

import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { bodyAnnounced } from '../../../../src/engine/http/request-head';

test.each<[IncomingHttpHeaders, boolean]>([
  [{}, false],
  [{ 'content-type': 'application/json' }, false],
  [{ 'content-length': '0' }, false],
  [{ 'content-length': '1' }, true],
  [{ 'transfer-encoding': 'chunked' }, true],
])('%j: %s', (headers, announced) => {
  const request = Object.assign(new IncomingMessage(new Socket()), { headers });
  expect(bodyAnnounced(request)).toBe(announced);
});
