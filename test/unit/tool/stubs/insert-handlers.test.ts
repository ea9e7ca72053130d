/** Into which forms of module handlers are inserted, and how the text then reads. */

import { describe, expect, test } from '@jest/globals';
import * as compiler from 'typescript-5';
import { insertHandlers } from '../../../../src/tool/stubs/insert-handlers';

const insert = (text: string, operationIds: readonly string[], mayBeObject = false) =>
  insertHandlers(compiler, text, { interfaces: ['G', 'Operations'], mayBeObject }, operationIds);

const stub = (indent: string): string =>
  `${indent}async b({ notImplemented }) {\n${indent}${indent === '\t' ? '\t' : '  '}throw notImplemented();\n${indent}},`;

describe('inserted at the end', () => {
  test.each<[title: string, module: string, indent?: string]>([
    [
      'a function that returns the object at once',
      'export const make = (d: D): Handlers<G> => ({\n  async a() {},@\n});\n',
    ],
    [
      'a block that ends with return',
      'export const make = (): Handlers<G> => {\n  const x = { y: 1 };\n  return {\n    a,@\n  };\n};\n',
      '    ',
    ],
    ['satisfies', 'export const make = () => ({\n  a,@\n}) satisfies Handlers<G>;\n'],
    ['with a context', 'export const make = (): Handlers<G, { c: 1 }> => ({\n  a,@\n});\n'],
    [
      'comments after the last member, and a brace in a text',
      "export const make = (): Handlers<\n  G\n> => ({\n  a: () => '}',\n  // more to come@\n});\n",
    ],
    [
      'the one of several factories that has the type',
      'export const one = (): Handlers<H> => ({});\nexport const two = (): Handlers<G> => ({\n  a,@\n});\n',
    ],
  ])('%s', (_title, module, indent = '  ') => {
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
  test.each([
    ['another type', 'export const make = (): Handlers<Pick<G, "a">> => ({ a });'],
    ['no type', 'export const make = () => ({ a });'],
    ['not exported', 'const make = (): Handlers<G> => ({ a });'],
    ['no literal', 'export const make = (): Handlers<G> => handlers;'],
    [
      'a return inside of something else',
      'export const make = (): Handlers<G> => { if (x) { return { a }; } };',
    ],
    ['no function', 'export const handlers: Handlers<G> = { a };'],
    ['nothing', ''],
  ])('%s', (_title, module) => {
    expect(insert(module, ['b'])).toBeUndefined();
  });
});
