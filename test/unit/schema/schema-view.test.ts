import { describe, expect, test } from '@jest/globals';
import { type Schema, schemaOf } from '../../../src/model/schema';
import {
  changedView,
  memberKeywords,
  SchemaView,
  strictView,
} from '../../../src/schema/schema-view';

const never = schemaOf({ types: [] });
const text = schemaOf({ types: ['string'] });
const count = schemaOf({ types: ['integer'] });

const viewOfAll = (...schemas: readonly Partial<Schema>[]) => new SchemaView(schemas.map(schemaOf));

const viewOfMembers = (schema: Partial<Schema>) => strictView(schemaOf(schema));

const properties = (entries: Readonly<Record<string, Schema>>) => new Map(Object.entries(entries));

describe('types', () => {
  test('are those that all parts allow; an integer is a number, too', () => {
    const view = viewOfAll({ types: ['null', 'number'] }, {}, { types: ['integer', 'null'] });
    expect(view.sharedTypes).toEqual(['null', 'integer']);
    expect(view.readTypes).toEqual(['integer']);
    expect(view.type).toBe('integer');
    expect(view.nullable).toBe(true);
  });

  test('that contradict each other leave no value, and the first is named all the same', () => {
    const view = viewOfAll({ types: ['string'] }, { types: ['array'] });
    expect(view.type).toBe('none');
    expect(view.namedType).toBe('string');
  });

  test('are implied by keywords for members, or by any', () => {
    const limited = viewOfAll({ minLength: 1 });
    expect(limited.type).toBe('string');
    expect(limited.impliedType(memberKeywords)).toBeUndefined();
    const closed = viewOfAll({ additionalProperties: never });
    expect(closed.impliedType(memberKeywords)).toBe('object');
    expect(closed.impliedType(memberKeywords, false)).toBeUndefined();
  });
});

describe('properties', () => {
  test('fit what each part says: by name and pattern, else of additional ones', () => {
    const view = viewOfAll(
      { properties: properties({ id: count }), patternProperties: properties({ '^i': text }) },
      { additionalProperties: text },
    );
    expect(view.propertyAt('id')).toEqual([count, text, text]);
    expect(view.propertyAt('other')).toEqual([text]);
    expect(view.declared('id')).toEqual([count]);
    expect(view.patterned('ix')).toEqual([text]);
  });

  test('are unevaluated unless the part itself or a member of it says something', () => {
    const inner = schemaOf({ properties: properties({ id: count }) });
    const around = viewOfMembers({ members: [inner], unevaluatedProperties: never });
    expect(around.propertyAt('id')).toEqual([count]);
    expect(around.propertyAt('other')).toBeUndefined();
    const closed = schemaOf({ unevaluatedProperties: never });
    expect(viewOfMembers({ members: [inner, closed] }).propertyAt('id')).toBeUndefined();
  });
});

describe('items', () => {
  test('fit what each part says at their index', () => {
    const view = viewOfAll({ prefixItems: [count], items: never }, { items: text });
    expect(view.itemAt(0)).toEqual([count, text]);
    expect(view.itemAt(1)).toBeUndefined();
    expect([view.positions, view.maxItems, view.closesItems]).toEqual([1, 1, 'items']);
  });
});

describe('limits', () => {
  test('are the strictest of all parts', () => {
    const view = viewOfAll({ minimum: 1, maxLength: 9 }, { exclusiveMinimum: 1, maxLength: 3 });
    expect(view.minimum).toEqual({ value: 1, exclusive: true });
    expect([view.minLength, view.maxLength, view.maxItems]).toEqual([0, 3, Infinity]);
  });

  test('can be changed, and what depends on them changes with them', () => {
    const view = changedView(viewOfAll({ minimum: 1 }), { minimum: undefined, minItems: 2 });
    expect([view.minimum, view.minItems]).toEqual([undefined, 2]);
  });
});
