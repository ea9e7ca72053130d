import { describe, expect, test } from '@jest/globals';
import { pascalCase, typeNames } from '../../../../src/tool/types/type-names';

describe('typeNames', () => {
  test.each([
    ['keeps identifiers', ['Pet', 'Order'], ['Pet', 'Order']],
    ['replaces what no identifier holds', ['my-pet.v1'], ['my_pet_v1']],
    ['puts something before a digit', ['3d'], ['_3d']],
    ['tells apart what would collide', ['a-b', 'a.b', 'a_b'], ['a_b', 'a_b_', 'a_b__']],
    ['keeps off the names of the language', ['string', 'Uint8Array'], ['string_', 'Uint8Array_']],
    [
      'keeps off the words of the language',
      ['import', 'enum', 'keyof'],
      ['import_', 'enum_', 'keyof_'],
    ],
    ['keeps off the names of the file', ['Operations'], ['Operations_']],
  ])('%s', (_, wanted, want) => {
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
