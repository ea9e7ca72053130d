import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { pascalCase, typeNames } from '../../../../src/tool/types/type-names';
import { valuesOf } from '../../../support/text-cases';

const cases = join(__dirname, 'type-names.cases.txt');

describe('typeNames', () => {
  test.each(
    valuesOf<[title: string, wanted: readonly string[], want: readonly string[]]>(
      cases,
      'typeNames',
    ),
  )('%s', (_, wanted, want) => {
    expect(wanted.map(typeNames())).toEqual(want);
  });
});

describe('pascalCase', () => {
  test.each([
    ['pet', 'Pet'],
    ['real estate', 'RealEstate'],
    ['api-keys & tokens', 'ApiKeysTokens'],
    ['événement', 'Événement'],
  ])('%s is %s', (given, want) => {
    expect(pascalCase(given)).toBe(want);
  });
});
