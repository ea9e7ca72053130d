import { expect, test } from '@jest/globals';
import type { UntypedHandler } from '../../../../src/engine';
import { unreadParameters } from '../../../../src/server/services/handler-report';

const parameters = ['path id', 'query limit', 'query page-size', 'header X-Reason'].map((text) => {
  const [place = '', name = ''] = text.split(' ');
  return { in: place, name };
});

/** Parses the text as the member of an object, where methods may stand, or as an expression. */
const handlerOf = (text: string): UntypedHandler =>
  new Function(
    'helper',
    text.startsWith('handle') || text.startsWith('async handle')
      ? `return { ${text} }.handle;`
      : `return ${text};`,
  )(() => undefined);

const all = ['id', 'limit', 'page-size', 'X-Reason'];

test.each<[text: string, unread: readonly string[]]>([
  ['handle() { return 1; }', all],
  ['() => 1', all],
  ['async ({ body }) => body', all],
  ['async handle({ path, fail }) { return path.id; }', ['limit', 'page-size', 'X-Reason']],
  ['({ path, query }) => path.id + query.limit', ['page-size', 'X-Reason']],
  ['({ path: { id }, query: { limit } }) => id + limit', ['page-size', 'X-Reason']],
  ['function ({ query }) { return query?.limit + query["page-size"]; }', ['id', 'X-Reason']],
  // What is passed on may be read.
  ['({ path, query }) => helper(query, path.id)', ['X-Reason']],
  ['({ query, header, path }) => ({ query, ...header, path: path.id })', []],
  ['({ path, query }) => { const { limit } = query; return path; }', ['X-Reason']],
  ['(request) => helper(request)', []],
  ['request => helper()', []],
  ['(...given) => helper(...given)', []],
  ['({ path, ...rest }) => helper(rest)', []],
  ['function () { return helper(arguments); }', []],
  ['(() => 1).bind(undefined)', []],
])('%s', (text, unread) => {
  const found = unreadParameters({ parameters } as never, handlerOf(text));
  expect(found.map(({ name }) => name)).toEqual(unread);
});
