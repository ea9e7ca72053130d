/** Names in XML through a whole exchange: X13, X20, X21. */

import { describe, test } from '@jest/globals';
import { type Bad, exchanges, type Good, refuses } from './exchange-xml';

describe('names', () => {
  const written =
    '<r:o xmlns:r="http://a.test/root"><a:id xmlns:a="http://a.test/ns#v1">5</a:id></r:o>';
  test.each<Good>([
    ['as written', 'named', written, { id: 5n }, written],
    [
      'another prefix',
      'named',
      '<x:o xmlns:x="http://a.test/root"><y:id xmlns:y="http://a.test/ns#v1">5</y:id></x:o>',
      { id: 5n },
      written,
    ],
    [
      'no prefix',
      'named',
      '<o xmlns="http://a.test/root"><id xmlns="http://a.test/ns#v1">5</id></o>',
      { id: 5n },
      written,
    ],
    [
      'bound further out',
      'named',
      '<r:o xmlns:r="http://a.test/root" xmlns:b="http://a.test/ns#v1"><b:id>5</b:id></r:o>',
      { id: 5n },
      written,
    ],
  ])('X13 %s', exchanges);

  test.each<Bad>([
    ['another namespace', 'named', '<r:o xmlns:r="http://b.test/root"/>'],
    ['no namespace', 'named', '<o><id>5</id></o>'],
    ['an unbound prefix', 'named', '<r:o><a:id>5</a:id></r:o>'],
  ])('X13 refused: %s', refuses);

  test.each<Good>([
    [
      'named after its items',
      'pets',
      '<pets><pet><id>1</id></pet></pets>',
      [{ id: 1n }],
      '<pets><pet><id>1</id></pet></pets>',
    ],
    [
      'named after its component',
      'namedPets',
      '<Pets><pet/><pet/></Pets>',
      [{}, {}],
      '<Pets><pet/><pet/></Pets>',
    ],
    [
      'with its own name',
      'ownName',
      '<zoo><pet><name>a</name></pet></zoo>',
      [{ name: 'a' }],
      '<zoo><pet><name>a</name></pet></zoo>',
    ],
    ['empty', 'pets', '<pets/>', [], '<pets/>'],
  ])('X20 a root array %s', exchanges);

  test.each<Bad>([
    ['another root', 'pets', '<pet><id>1</id></pet>'],
    ['items of another name', 'pets', '<pets><dog/></pets>'],
  ])('X20 refused: %s', refuses);

  test.each<Good>([
    ['a text', 'token', '<string>a&amp;b</string>', 'a&b', '<string>a&amp;b</string>'],
    [
      'an integer',
      'count',
      '<integer>9223372036854775807</integer>',
      9223372036854775807n,
      '<integer>9223372036854775807</integer>',
    ],
  ])('X21 a root primitive: %s', exchanges);

  test('X21 refused: another name', () => refuses('', 'token', '<token>a</token>'));
});
