/** Dynamic scopes: the outermost anchor of each name counts, equal ways share a scope, and there are not too many. */

import { describe, expect, test } from '@jest/globals';
import { dynamicScopes } from '../../../../src/document/read/read-schema';
import type { Anchor, SchemaResource } from '../../../../src/document/references/schema-resources';

/** A resource with dynamic anchors of these names; `$name` is one that is not dynamic. */
const resource = (uri: string, names: readonly string[]): SchemaResource => ({
  ...{ uri, file: 'f', pointer: '', dialect: undefined },
  anchors: new Map(
    names.map((text): [string, Anchor] => {
      const name = text.replace('$', '');
      const isDynamic = name === text;
      const place = { file: 'f', pointer: `/${uri}/${name}`, value: {} };
      return [name, { ...place, name, uri: `${uri}#${name}`, isDynamic }];
    }),
  ),
});

/** Enters the resources one after the other; each stands for a schema in it. */
const scopesOf = (resources: Readonly<Record<string, SchemaResource>>) => {
  const schemas = new Map(Object.keys(resources).map((uri) => [uri, {}]));
  const owners = new Map([...schemas].map(([uri, schema]) => [schema, resources[uri]]));
  const resolved = new Map([[{}, new Map([['$dynamicRef', '/a']])]]);
  const { outermost, enter } = dynamicScopes({ of: (schema) => owners.get(schema) }, resolved);
  return (...uris: readonly string[]) =>
    uris.reduce((scope, uri) => enter(scope, schemas.get(uri) ?? {}), outermost);
};

describe('V32 the anchors of a scope', () => {
  const enter = scopesOf({
    a: resource('a', ['x']),
    b: resource('b', ['x', 'y']),
    c: resource('c', ['$z']),
  });

  test.each<[ways: string, want: string]>([
    ['', ''],
    ['a', 'a#x'],
    ['a b', 'a#x b#y'],
    ['b a', 'b#x b#y'],
    ['c', ''],
    ['elsewhere a', 'a#x'],
  ])('on the way %s', (way, want) => {
    const { anchors } = enter(...way.split(' '));
    expect([...anchors.values()].map(({ uri }) => uri).join(' ')).toBe(want);
  });

  test('ways with the same anchors share their schemas', () => {
    expect(enter('a', 'b', 'a')).toBe(enter('a', 'c', 'b'));
    expect(enter('a', 'b')).not.toBe(enter('b', 'a'));
  });
});

test('V32 a document without dynamic references has one scope', () => {
  const schema = {};
  const { outermost, enter } = dynamicScopes({ of: () => resource('a', ['x']) }, new Map());
  expect(enter(outermost, schema)).toBe(outermost);
});

test('D09 scopes that multiply are refused', () => {
  const uris = Array.from({ length: 11 }, (_, index) => `r${index}`);
  const enter = scopesOf(Object.fromEntries(uris.map((uri) => [uri, resource(uri, [uri])])));
  const enterAll = () => {
    for (let set = 0; set < 2 ** uris.length; set += 1) {
      enter(...uris.filter((_, index) => set & (2 ** index)));
    }
  };
  expect(enterAll).toThrow('too many dynamic anchors come together');
});
