import { expect, test } from '@jest/globals';
import type { Case } from '../../../../scripts/conformance/cases';
import { judge } from '../../../../scripts/conformance/judge';
import { runCases, type Subject } from '../../../../scripts/conformance/run-cases';

const caseOf = (expected: Case['expected'], more: Partial<Case> = {}): Case => ({
  ...{ id: 'P01.1', rule: 'P01', title: 'a case', document: '{}' },
  ...{ request: { method: 'GET', path: '/' }, expected, ...more },
});

const echoed = '{"query":{"p":1,"q":2},"body":[9223372036854775807]}';

const xmlOf = (attributes: string, text: string): string =>
  `<?xml version="1.0"?>\n<p:a xmlns:p="u:n" ${attributes}>${text}</p:a>`;

const type = { 'content-type': 'Application/JSON; charset=utf-8', allow: 'GET, POST' };

test.each<[expected: Case['expected'], text: string, found: readonly unknown[]]>([
  [{ status: 400 }, '', []],
  [{ status: [404, 422] }, '', []],
  [{ status: 404 }, '', ['the status is 422']],
  [{ mediaType: 'application/json' }, '', []],
  [{ mediaType: 'text/plain' }, '', ['the media type is application/json']],
  [{ headers: { allow: ['POST'], etag: false } }, '', []],
  [{ headers: { allow: ['PUT'] } }, '', ['the header allow is GET, POST']],
  [{ headers: { allow: 'GET' } }, '', ['the header allow is GET, POST']],
  [{ headers: { etag: true } }, '', ['the header etag is undefined']],
  [{ echo: { query: { p: 1 }, body: [9223372036854775807n] } }, echoed, []],
  [{ echo: { query: { p: 2 } } }, echoed, ['the handler was given 1 (query)']],
  [{ echo: { body: [9223372036854775806n] } }, echoed, [expect.stringMatching('5807. .body')]],
  [{ echo: { path: { p: null } } }, echoed, ['the handler was given null (path)']],
  [{ absent: { query: ['o'], cookie: ['p'] } }, echoed, []],
  [{ absent: { query: ['o', 'q'] } }, echoed, ['the handler was given q (query)']],
  [{ text: 'a' }, 'a', []],
  [{ text: 'a' }, 'b', ['the body is b']],
  [{ json: { a: 1, b: 2 } }, '{"b":2,"a":1.0}', []],
  [{ json: { a: 1 } }, '{"a":"1"}', ['the body is {"a":"1"}']],
  [{ xml: '<a xmlns="u:n" c="1" b="2">x&amp;</a>' }, xmlOf('b="2" c="1"', 'x&#38;'), []],
  [{ xml: '<a xmlns="u:n">xy</a>' }, xmlOf('', 'x<![CDATA[y]]>'), []],
  [{ xml: '<a xmlns="u:n"> x</a>' }, xmlOf('', 'x'), [expect.stringMatching(/^the body is/)]],
  [{ xml: '<a xmlns="u:n"/>' }, xmlOf('b="2"', ''), [expect.stringMatching(/^the body is/)]],
  [{ xml: '<a/>' }, xmlOf('', ''), [expect.stringMatching(/^the body is/)]],
])('%j and the body %s', async (expected, text, found) => {
  const one = caseOf({ status: 422, ...expected });
  expect(await judge(one, { status: 422, headers: type, body: Buffer.from(text) })).toEqual(found);
});

test('XML that is none has no meaning', async () => {
  const response = { status: 200, headers: {}, body: Buffer.from('<a>') };
  await expect(judge(caseOf({ status: 200, xml: '<a/>' }), response)).rejects.toThrow();
});

test('what a server cannot do is not asked, and a document must be refused or served as expected', async () => {
  const served: string[] = [];
  const subject: Subject = {
    server: 'a server',
    cannot: { 'no XML': 'X xml' },
    serve: async (document) => {
      served.push(document);
      return undefined;
    },
    reply: async () => undefined,
    stop: () => undefined,
  };
  const headers = { Accept: 'application/XML' };
  const results = await runCases(subject, [
    caseOf({ status: 200 }, { rule: 'X01', document: 'never served' }),
    caseOf({ status: 200 }, { request: { method: 'GET', path: '/', headers } }),
    caseOf({ refused: true }, { document: 'one' }),
    caseOf({ status: 200 }, { document: 'one' }),
  ]);
  expect(results.map(({ verdict, reasons }) => [verdict, reasons])).toEqual([
    ['cannot be said', ['no XML']],
    ['cannot be said', ['no XML']],
    ['passed', []],
    ['failed', ['the document is refused']],
  ]);
  expect(served).toEqual(['one']);
});
