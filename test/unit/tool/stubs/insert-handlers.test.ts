/** Into which forms of module handlers are inserted, and how the text then reads. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as compiler from 'typescript-5';
import { insertHandlers } from '../../../../src/tool/stubs/insert-handlers';
import { valuesOf } from '../../../support/text-cases';

const cases = join(__dirname, 'insert-handlers.cases.txt');

const insert = (text: string, operationIds: readonly string[], mayBeObject = false) =>
  insertHandlers(compiler, text, { interfaces: ['G', 'Operations'], mayBeObject }, operationIds);

const stub = (indent: string): string =>
  `${indent}async b({ notImplemented }) {\n${indent}${indent === '\t' ? '\t' : '  '}throw notImplemented();\n${indent}},`;

describe('inserted at the end', () => {
  test.each(
    valuesOf<[title: string, module: string, indent?: string]>(cases, 'inserted at the end'),
  )('%s', (_title, module, indent = '  ') => {
    expect(insert(module.replace('@', ''), ['b'])).toBe(module.replace('@', `\n\n${stub(indent)}`));
  });

  test.each<[title: string, before: string, after: string]>([
    [
      'a comma after the last member, in a declaration, for all operations of the document',
      'export function make(): Handlers<Operations> {\n\treturn {\n\ta: () => 1 // one\n\t};\n}\n',
      `export function make(): Handlers<Operations> {\n\treturn {\n\ta: () => 1, // one\n\n${stub('\t')}\n\t};\n}\n`,
    ],
    [
      'no member yet',
      'export const make = (): Handlers<G> => ({});\n',
      `export const make = (): Handlers<G> => ({\n${stub('  ')}\n});\n`,
    ],
    [
      'members on one line',
      'export const make = (): Handlers<G> => ({ a });\n',
      `export const make = (): Handlers<G> => ({ a,\n\n${stub('  ')}\n});\n`,
    ],
  ])('%s', (_title, before, after) => {
    expect(insert(before, ['b'])).toBe(after);
  });

  test.each([
    'const handlers: Handlers<Operations> = {\n  a,@\n};\n',
    'const handlers = {\n  a,@\n} satisfies Handlers<G>;\n',
  ])('an object, where one will do: %j', (module) => {
    expect(insert(module.replace('@', ''), ['b'], true)).toBe(
      module.replace('@', `\n\n${stub('  ')}`),
    );
  });

  test('several', () => {
    const module = 'export const make = (): Handlers<G> => ({\n  a,\n});\n';
    expect(insert(module, ['b', 'c-d'])).toBe(
      `export const make = (): Handlers<G> => ({\n  a,\n\n${stub('  ')}\n\n${stub('  ').replace('b(', "'c-d'(")}\n});\n`,
    );
  });
});

describe('not understood', () => {
  test.each(valuesOf<[title: string, module: string]>(cases, 'not understood'))(
    '%s',
    (_title, module) => {
      expect(insert(module, ['b'])).toBeUndefined();
    },
  );
});
