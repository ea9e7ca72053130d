/** Diagnostics that say the same of one file are one line. */

import { expect, test } from '@jest/globals';
import { type Diagnostic, describeAlike } from '../../../../src/document/diagnostics/diagnostic';

const at = (line: number, change: Partial<Diagnostic> = {}): Diagnostic => ({
  severity: 'warning',
  rule: 'example',
  message: 'No.',
  pointer: `/${line}`,
  file: 'a.yaml',
  line,
  column: 2,
  ...change,
});

test.each<[string, readonly Diagnostic[], readonly string[]]>([
  ['none', [], []],
  ['one', [at(1)], ['a.yaml:1:2 warning: No. (/1)']],
  [
    'the same at other places',
    [at(1), at(4), at(4, { column: 9 }), at(7)],
    ['a.yaml:1:2 warning: No. (/1); 3 more in line 4, 7'],
  ],
  [
    'other files, sentences and severities',
    [at(1), at(2, { file: 'b.yaml' }), at(3, { message: 'Why?' }), at(4, { severity: 'error' })],
    [
      'a.yaml:1:2 warning: No. (/1)',
      'b.yaml:2:2 warning: No. (/2)',
      'a.yaml:3:2 warning: Why? (/3)',
      'a.yaml:4:2 error: No. (/4)',
    ],
  ],
])('%s', (_title, diagnostics, lines) => {
  expect(describeAlike(diagnostics)).toEqual(lines);
});
