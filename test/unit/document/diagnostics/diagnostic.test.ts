import { describe, expect, test } from '@jest/globals';
import { type Diagnostic, newErrors } from '../../../../src/document/diagnostics/diagnostic';

const problem = (message: string, pointer = '/a', more: Partial<Diagnostic> = {}): Diagnostic => ({
  severity: 'error',
  rule: 'reference',
  file: 'specs/box.yaml',
  line: 1,
  column: 1,
  ...{ message, pointer },
  ...more,
});

/** The messages of the problems that are shown; none where the document is taken. */
const refusedFor = (served: readonly Diagnostic[], read: readonly Diagnostic[]): string[] =>
  newErrors(served, read).map(({ message, pointer }) => `${message} ${pointer}`);

const warning = { severity: 'warning' } as const;

describe('newErrors', () => {
  test.each<[string, readonly Diagnostic[], readonly Diagnostic[], string[]]>([
    ['nothing wrong', [], [], []],
    ['an error', [], [problem('A')], ['A /a']],
    ['a warning', [], [problem('A', '/a', warning)], []],
    ['an error that was there', [problem('A')], [problem('A', '/a', { line: 9 })], []],
    ['one that moved in a list', [problem('A', '/a/0')], [problem('A', '/a/1')], []],
    ['one in another file', [problem('A')], [problem('A', '/a', { file: 'b.yaml' })], ['A /a']],
    ['one more of the same', [problem('A')], [problem('A', '/b'), problem('A')], ['A /b']],
    ['one that was a warning', [problem('A', '/a', warning)], [problem('A')], ['A /a']],
    ['one that is gone', [problem('A'), problem('B')], [problem('B')], []],
    [
      'a consequence, with its cause',
      [],
      [
        problem('A', '/a', warning),
        problem('B', '/b', warning),
        problem('C', '/b', { follows: true }),
      ],
      ['B /b', 'C /b'],
    ],
  ])('%s', (_, served, read, messages) => {
    expect(refusedFor(served, read)).toEqual(messages);
  });
});
