import { writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { codeFrame } from '../../../../scripts/dev/faults';
import { useTemporaryFolder } from '../../../support/temporary-folder';

const folder = useTemporaryFolder();

const frame = (text: string, line: number, column: number): readonly string[] => {
  writeFileSync(folder('box.yaml'), text);
  return codeFrame({ file: folder('box.yaml'), line, column });
};

describe('codeFrame', () => {
  test.each<[string, string, number, number, string[]]>([
    ['the first line', 'a: b\nc: d\n', 1, 4, ['> 1 | a: b', '    |    ^']],
    ['a later one', 'a: b\r\nc: d\r\n', 2, 1, ['  1 | a: b', '> 2 | c: d', '    | ^']],
    ['a tab is one place', '\ta: b', 1, 2, ['> 1 |  a: b', '    |  ^']],
    [
      'line numbers of two digits',
      `${'x\n'.repeat(9)}y`,
      10,
      1,
      ['   9 | x', '> 10 | y', '     | ^'],
    ],
    [
      'a long line is cut around the place',
      `${'a'.repeat(500)}!${'b'.repeat(500)}`,
      1,
      501,
      [`> 1 | ${'a'.repeat(50)}!${'b'.repeat(49)}`, `    | ${' '.repeat(50)}^`],
    ],
    ['behind the last line', 'a: b\n', 2, 1, ['  1 | a: b', '> 2 | ', '    | ^']],
  ])('%s', (_, text, line, column, lines) => {
    expect(frame(text, line, column)).toEqual(lines);
  });

  test('of a file that is not there, nothing', () => {
    expect(codeFrame({ file: folder('other.yaml'), line: 1, column: 1 })).toEqual([]);
  });
});
