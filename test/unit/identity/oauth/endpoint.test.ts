import { expect, test } from '@jest/globals';
import { readFormParameters } from '../../../../src/identity/oauth/endpoint';

test.each<[string, string, string | undefined, boolean]>([
  ['a value', 'x=1', '1', false],
  ['a blank', 'x=a+b%20c', 'a b c', false],
  ['a plus', 'x=a%2Bb', 'a+b', false],
  ['characters beyond ASCII', 'x=%C3%A9', 'é', false],
  ['no value', 'x=', undefined, false],
  ['no equals sign', 'x', undefined, false],
  ['nothing', '', undefined, false],
  ['another name', 'X=1', undefined, false],
  ['two values', 'x=1&y=2&x=1', undefined, true],
  ['a value and none', 'x=1&x=', undefined, true],
  ['an escaped name', 'x=1&%78=1', undefined, true],
  ['ampersands alone', '&&x=1&&', '1', false],
])('%s: %j', (_, text, value, isRepeated) => {
  const parameters = readFormParameters(text);
  expect([parameters?.get('x'), parameters?.isRepeated('x')]).toEqual([value, isRepeated]);
});

test.each(['%', 'x=%z1', 'x=%ff', 'x=%C3', '%ED%A0%80=x'])('%j is no form', (text) => {
  expect(readFormParameters(text)).toBeUndefined();
});
