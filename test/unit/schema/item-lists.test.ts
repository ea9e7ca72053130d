import { describe, expect, test } from '@jest/globals';
import { shapeOf } from '../engine/media-types/shapes';

const items = { type: 'string' };
const components = {
  Words: { type: 'array', items },
  Few: { type: 'array', maxItems: 3 },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('a list is valid whenever its items are', () => {
  test.each([
    ['with items alone', { type: 'array', items }],
    ['with what describes it', { type: 'array', items, title: 'a', description: 'b', example: [] }],
    ['with names and extensions', { type: 'array', items, xml: { name: 'a' }, 'x-note': 1 }],
    ['that may be null', { type: 'array', items, nullable: true }],
    ['by reference', ref('Words')],
    ['through allOf', { allOf: [ref('Words')], description: 'a' }],
    ['without a type', { items }],
  ])('%s', (_title, schema) => {
    expect(shapeOf(schema, components).onlyItems).toMatchObject({ types: ['string'] });
  });
});

describe('a list is checked as a whole', () => {
  test.each([
    ['of so many items', { type: 'array', items, maxItems: 3 }],
    ['of different items', { type: 'array', items, uniqueItems: true }],
    ['of listed values', { type: 'array', items, enum: [['a']] }],
    ['that is not something', { type: 'array', items, not: { maxItems: 0 } }],
    ['of a union', { type: 'array', items, oneOf: [ref('Words'), ref('Few')] }],
    ['limited by a member of allOf', { allOf: [ref('Words'), ref('Few')] }],
    ['of two kinds of items', { allOf: [ref('Words'), { items: { maxLength: 3 } }] }],
    ['without items', { type: 'array' }],
    ['that is none', { type: 'object', items }],
    ['of which nothing is said', {}],
  ])('%s', (_title, schema) => {
    expect(shapeOf(schema, components).onlyItems).toBeUndefined();
  });
});
