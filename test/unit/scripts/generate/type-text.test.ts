import { describe, expect, test } from '@jest/globals';
import {
  arrayOf,
  block,
  docComment,
  intersection,
  member,
  objectType,
  propertyKey,
  quoteText,
  union,
} from '../../../../scripts/generate/type-text';

describe('quoteText', () => {
  test.each([
    ['plain', "'plain'"],
    ["it's", "'it\\'s'"],
    ['say "hi"', '\'say "hi"\''],
    ['back\\slash', "'back\\\\slash'"],
    ['\\"', "'\\\\\"'"],
    ['two\nlines', "'two\\nlines'"],
    ['À la vente', "'À la vente'"],
    ['', "''"],
  ])('%j is %s', (given, want) => {
    expect(quoteText(given)).toBe(want);
  });
});

describe('propertyKey', () => {
  test.each([
    ['id', 'id'],
    ['__proto__', '__proto__'],
    ['X-Rate-Limit', "'X-Rate-Limit'"],
    ['1st', "'1st'"],
    ['prénom', 'prénom'],
    ['a b', "'a b'"],
  ])('%j is %s', (given, want) => {
    expect(propertyKey(given)).toBe(want);
  });
});

describe('union', () => {
  test.each([
    [['string'], 'string'],
    [["'a'", "'b'", "'a'"], "'a' | 'b'"],
    [['string', 'unknown'], 'unknown'],
    [['unknown /* why */', 'null'], 'unknown /* why */'],
    [['unknown_', 'null'], 'unknown_ | null'],
  ])('of %j is %s', (given, want) => {
    expect(union(given)).toBe(want);
  });
});

describe('intersection', () => {
  test.each([
    [[['Pet'], ['{ id: bigint }']], 'Pet & { id: bigint }'],
    [[['Pet'], ['Cat', 'Dog']], 'Pet & (Cat | Dog)'],
    [[['Pet']], 'Pet'],
  ])('of %j is %s', (given, want) => {
    expect(intersection(given)).toBe(want);
  });
});

describe('arrayOf', () => {
  test.each([
    ['Pet', 'Pet[]'],
    ["'a' | 'b'", "Array<'a' | 'b'>"],
    ['string[]', 'Array<string[]>'],
    ['{ id: bigint }', 'Array<{ id: bigint }>'],
  ])('of %s is %s', (given, want) => {
    expect(arrayOf(given)).toBe(want);
  });
});

describe('member', () => {
  test.each([
    ['id', 'bigint', true, 'id: bigint'],
    ['id', 'bigint', false, 'id?: bigint | undefined'],
    ['x-y', 'unknown', false, "'x-y'?: unknown"],
  ])('%s of %s, required: %s', (name, type, required, want) => {
    expect(member(name, type, required)).toBe(want);
  });
});

describe('objectType', () => {
  test.each([
    ['nothing', [], '{}'],
    ['short members on one line', ['a: string', 'b: number'], '{ a: string; b: number }'],
    ['a comment on lines of its own', ['/** A */\na: string'], '{\n  /** A */\n  a: string;\n}'],
    [
      'long members on lines of their own',
      [`a: ${'x'.repeat(60)}`, `b: ${'y'.repeat(60)}`],
      `{\n  a: ${'x'.repeat(60)};\n  b: ${'y'.repeat(60)};\n}`,
    ],
  ])('%s', (_, given, want) => {
    expect(objectType(given)).toBe(want);
  });

  test('a block inside a block moves in by one step, empty lines stay empty', () => {
    expect(block([`a: ${block(['b: string'])}`, 'c: 1\n\nd: 2'])).toBe(
      '{\n  a: {\n    b: string;\n  };\n  c: 1\n\n  d: 2;\n}',
    );
  });
});

describe('docComment', () => {
  test.each([
    ['nothing', [undefined, '  '], ''],
    ['one line', ['A pet'], '/** A pet */\n'],
    ['paragraphs', ['GET /pet', 'Find'], '/**\n * GET /pet\n *\n * Find\n */\n'],
    ['several lines', ['One\n\nTwo\n'], '/**\n * One\n *\n * Two\n */\n'],
    ['the end of a comment', ['a */ b'], '/** a *\\/ b */\n'],
  ])('of %s', (_, given, want) => {
    expect(docComment(given)).toBe(want);
  });
});
