import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { drawFrom, makeFuel } from '../../../../src/base/fuel';
import { refTo, validatorsOf } from './validators-of';

const components = {
  Node: { type: 'object', required: ['v'], properties: { v: {}, next: refTo('Node') } },
  Twofold: {
    oneOf: [
      { type: 'object', properties: { next: refTo('Twofold') } },
      { type: 'object', required: ['extra'], properties: { next: refTo('Twofold') } },
    ],
  },
  Tagged: {
    oneOf: ['a', 'b'].map((kind) => ({
      type: 'object',
      required: ['kind'],
      properties: { next: refTo('Tagged'), kind: { type: 'string', enum: [kind] } },
    })),
  },
  Anything: {
    type: 'object',
    required: ['id'],
    minProperties: 1,
    properties: {
      id: { type: 'integer', format: 'int64', minimum: 1, multipleOf: 0.5 },
      text: { type: 'string', format: 'date-time', pattern: '^2', maxLength: 40 },
      list: { type: 'array', uniqueItems: true, items: refTo('Anything') },
      union: { oneOf: [{ type: 'string', format: 'email' }, refTo('Anything'), { enum: [1, {}] }] },
      bytes: { type: 'string', format: 'binary', maxLength: 3 },
    },
    additionalProperties: {
      anyOf: [{ nullable: true, type: 'boolean' }, { not: { type: 'string' } }],
    },
  },
};

const nested = (levels: number, inner: object, around: object): object => {
  let value = inner;
  for (let level = 0; level < levels; level += 1) value = { ...around, next: value };
  return value;
};

describe('bounds', () => {
  const { validatorOf } = validatorsOf(components);

  test('D09 as deep as readers go', () => {
    const validate = validatorOf(refTo('Node'), 'request');
    expect(validate(nested(100, { v: 1 }, { v: 1 }))).toEqual([]);
    expect(validate(nested(100, {}, { v: 1 }))).toHaveLength(1);
  });

  test('D09 deeper than the stack', () => {
    expect(validatorOf(refTo('Node'), 'request')(nested(200_000, { v: 1 }, { v: 1 }))).toEqual([
      { path: '', message: 'must be nested less deeply', rule: 'depth' },
    ]);
  });

  const twofold = nested(90, { extra: 1 }, { extra: 1 });
  const oneOfTwo = [{ path: '', message: 'must fit exactly one of 2 alternatives', rule: 'oneOf' }];

  test('a union that doubles at each level is decided once at each level', () => {
    const fuel = makeFuel(30_000);
    const validate = validatorOf(refTo('Twofold'), 'request');
    expect(drawFrom(fuel, () => validate(twofold))).toEqual(oneOfTwo);
    expect(validate(twofold)).toEqual(oneOfTwo);
    expect(validatorsOf(components).accepts(refTo('Twofold'))(twofold)).toBe(false);
  });

  test('each alternative that is tried takes steps', () => {
    const stepsOf = (count: number): number => {
      const anyOf = Array.from({ length: count }, (_, index) => ({ required: [`k${index}`] }));
      const fuel = makeFuel(100_000);
      const validate = validatorOf({ type: 'array', items: { anyOf } }, 'request');
      const items = Array.from({ length: 50 }, () => ({ [`k${count - 1}`]: 1 }));
      expect(drawFrom(fuel, () => validate(items))).toEqual([]);
      return fuel.capacity - fuel.left;
    };
    expect(stepsOf(200)).toBeGreaterThan(20_000);
  });

  test('what is compiled for a message that is given up serves the next', () => {
    const schema = { enum: Array.from({ length: 100 }, (_, index) => ({ index })) };
    const validate = validatorOf(schema, 'request');
    expect(drawFrom(makeFuel(5), () => validate({ index: 7 }))).toHaveLength(1);
    expect(drawFrom(makeFuel(500), () => validate({ index: 7 }))).toEqual([]);
  });

  test('a value that takes more steps than there are is refused, and nothing else is looked at', () => {
    const fuel = makeFuel(500);
    const { accepts } = validatorsOf(components);
    const message =
      'must take at most 500 steps to check: make it smaller, nest it less deeply, or let it fit fewer alternatives';
    expect(drawFrom(fuel, () => validatorOf(refTo('Twofold'), 'request')(twofold))).toEqual([
      { path: '', message, rule: 'steps' },
    ]);
    expect(() => drawFrom(fuel, () => accepts(refTo('Node'))({ v: 1 }))).toThrow(message);
  });

  test('a union with tags is not, wherever the tag is declared', () => {
    const validate = validatorOf(refTo('Tagged'), 'request');
    expect(validate(nested(90, { kind: 'a' }, { kind: 'b' }))).toEqual([]);
    expect(validate(nested(90, { kind: 'c' }, { kind: 'b' }))).toHaveLength(1);
  });

  test('a long list of different objects', () => {
    const list = Array.from({ length: 50_000 }, (_, index) => ({ index }));
    expect(validatorOf({ type: 'array', items: {}, uniqueItems: true }, 'request')(list)).toEqual(
      [],
    );
  });

  test('any value is decided, the same way each time', () => {
    const validate = validatorOf(refTo('Anything'), 'request');
    const leaf = fc.oneof(
      fc.anything({ withBigInt: true, withTypedArray: true, withNullPrototype: true }),
      fc.constantFrom('2024-02-29T12:30:00Z', 1n, 2n ** 70n, Number.NaN, '__proto__'),
    );
    const { value: values } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, leaf, tie('object'), fc.array(tie('value'))),
      object: fc.dictionary(
        fc.oneof(fc.constantFrom('id', 'text', 'list', 'union', 'bytes'), fc.string()),
        tie('value'),
      ),
    }));
    fc.assert(
      fc.property(values, (value) => {
        const faults = validate(value);
        expect(faults.length).toBeLessThanOrEqual(20);
        for (const { path, message } of faults) {
          expect(path === '' || path.startsWith('/')).toBe(true);
          expect(message).toMatch(/^must /);
        }
        expect(validate(value)).toEqual(faults);
      }),
      { seed: 20_240_229, numRuns: 200 },
    );
  });
});
