/** The command that repeats a request says exactly what was sent, whatever that holds, and no secret. */

import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import {
  curlCommand,
  describeExchange,
  secretHider,
} from '../../../../../src/contract/tester/session/describe-exchange';

const secret = 's3cr3t';
const hide = secretHider([{ text: secret, variable: 'TOKEN' }]);

const sent = (body: string | Uint8Array | undefined, target = '/a?b=1') => ({
  request: {
    method: 'POST',
    target,
    url: `http://127.0.0.1:80${target}`,
    headers: [
      ['Authorization', `Bearer ${secret}`],
      ['X-Text', 'it\'s "$HOME" `id` \\'],
    ] as const,
    body: body === undefined ? undefined : Buffer.from(body),
  },
  answer: undefined,
  error: 'none',
});

/** Runs a command in a shell where `curl` is something else. */
const shell = (curl: string, command: string): Buffer =>
  execFileSync('sh', [], {
    input: `curl() { ${curl}; }; ${command}`,
    env: { TOKEN: secret, HOME: '/nobody' },
  });

/** Returns the arguments that a shell gives to curl. */
const run = (command: string): string[] =>
  String(shell('for one; do printf "%s\\0" "$one"; done', command)).split('\0').slice(0, -1);

test.each([
  ['quotes', `it's "quoted"`],
  ['what a shell would run', '$(touch /tmp/never) `id` $HOME ; rm -rf "$HOME" \\'],
  ['a secret beside quotes', `{"token":"${secret}","text":"it's $HOME"}`],
  ['line breaks', 'a\r\nb\n'],
  ['nothing', ''],
])('%s', (_title, body) => {
  const command = curlCommand(sent(body), hide);
  expect(command).not.toContain(secret);
  expect(run(command)).toEqual([
    '-isg',
    '--path-as-is',
    '-X',
    'POST',
    'http://127.0.0.1:80/a?b=1',
    '-H',
    `Authorization: Bearer ${secret}`,
    '-H',
    'X-Text: it\'s "$HOME" `id` \\',
    '--data-binary',
    body,
  ]);
});

test.each([
  ['every byte', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
  ['what printf would format', Buffer.from('%s %d \\n\0%%', 'latin1')],
  ['a text like the name of a file', Buffer.from('@/etc/hostname')],
  ['a text with a zero', Buffer.from('a\0b')],
  ['a text that is too long for an argument', Buffer.from(`it's ${secret} ${'é'.repeat(100_000)}`)],
  ['many bytes', Buffer.alloc(100_000, 0xff)],
])('%s is given to curl as it was sent', (_title, body) => {
  const command = curlCommand(sent(body), hide);
  expect(run(command).slice(-2)).toEqual(['--data-binary', '@-']);
  expect(shell('cat', command).equals(body)).toBe(true);
  expect(command).not.toContain(secret);
});

test('a method is no command', () => {
  const { request, ...rest } = sent(undefined);
  const method = "A'`id`|B&";
  const command = curlCommand({ ...rest, request: { ...request, method } }, hide);
  expect(run(command).slice(2, 4)).toEqual(['-X', method]);
});

test('a report has no secret, also where it is percent-encoded, and long bodies are cut', () => {
  const other = secretHider([{ text: 'a/b', variable: 'KEY' }]);
  expect(other('/x?key=a%2Fb a/b')).toBe('/x?key=$KEY $KEY');
  const { request } = describeExchange(sent(`${secret} ${'x'.repeat(9000)}`), hide);
  expect(request.body).toMatch(/^\$TOKEN x+… \(9007 characters\)$/);
  expect(request.body?.length).toBeLessThan(4100);
  expect(request.bytes).toBe(9007);
  expect(JSON.stringify(request)).not.toContain(secret);
});
