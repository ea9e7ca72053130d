import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { valuesOf } from '../../support/text-cases';
import { shapeOf } from '../engine/media-types/shapes';

const cases = join(__dirname, 'item-lists.cases.txt');

const items = { type: 'string' };
const components = {
  Words: { type: 'array', items },
  Few: { type: 'array', maxItems: 3 },
};

describe('a list is valid whenever its items are', () => {
  test.each(
    valuesOf<[title: string, schema: object]>(cases, 'a list is valid whenever its items are'),
  )('%s', (_title, schema) => {
    expect(shapeOf(schema, components).onlyItems).toMatchObject({ types: ['string'] });
  });
});

describe('a list is checked as a whole', () => {
  test.each(valuesOf<[title: string, schema: object]>(cases, 'a list is checked as a whole'))(
    '%s',
    (_title, schema) => {
      expect(shapeOf(schema, components).onlyItems).toBeUndefined();
    },
  );
});
