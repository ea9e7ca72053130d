/** Schemas and values that fit them, for property tests. */

import fc from 'fast-check';

/** A schema and an arbitrary value of it. */
export interface Sample {
  readonly schema: object;
  readonly value: fc.Arbitrary<unknown>;
  /** True where an element of this schema says by itself that it is there: an unwrapped array does not. */
  readonly leavesTrace: boolean;
}

/** Characters of all planes that both JSON and XML can carry, and those that markup treats specially. */
const character = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(...'aZ0 _-.:<>&"\'\\/]\t\n\r{}[],%+=;#é日😀\u0085\u2028'),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 0x20, max: 0x10ffff })
      .filter((code) => !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff)
      .map((code) => String.fromCodePoint(code)),
  },
);
export const text = fc.array(character, { maxLength: 8 }).map((characters) => characters.join(''));

const scalars = (xml: object): readonly Sample[] =>
  [
    { schema: { type: 'string' }, value: text },
    {
      schema: { type: 'integer', format: 'int64' },
      value: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    },
    { schema: { type: 'integer', format: 'int32' }, value: fc.integer() },
    { schema: { type: 'integer' }, value: fc.maxSafeInteger() },
    {
      schema: { type: 'number' },
      value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    },
    { schema: { type: 'boolean' }, value: fc.boolean() },
  ].map(({ schema, value }) => ({ schema: { ...schema, xml }, value, leavesTrace: true }));

const xmlNames = fc.record(
  {
    name: fc.constantFrom('n1', 'n2', 'ünï', '##default'),
    prefix: fc.constantFrom('p', 'q'),
    namespace: fc.constantFrom('urn:a', 'urn:b#c'),
    wrapped: fc.boolean(),
  },
  { requiredKeys: [] },
);
/** Property names; the second has the spelling of an escaped name. */
const propertyName = fc.constantFrom(
  'a',
  '_x0061_',
  'b c',
  'constructor',
  '__proto__',
  '1',
  'é',
  'n1',
);

const scalar = fc
  .record({ xml: xmlNames, attribute: fc.boolean(), index: fc.nat(5) })
  .map(({ xml, attribute, index }): Sample => {
    const sample = scalars(attribute ? { ...xml, attribute } : xml)[index];
    if (!sample) throw new Error('No such scalar');
    return sample;
  });

/** Null has no form in attributes and unwrapped arrays. */
const nullable = ({ schema, value, leavesTrace }: Sample): Sample =>
  'attribute' in Object(Reflect.get(schema, 'xml')) || !('type' in schema) || !leavesTrace
    ? { schema, value, leavesTrace }
    : { schema: { ...schema, nullable: true }, value: fc.option(value, { freq: 4 }), leavesTrace };

const arrayOf = (items: Sample, xml: { readonly wrapped?: boolean }): Sample => {
  const wrapped = xml.wrapped === true;
  return {
    schema: { type: 'array', items: items.schema, xml },
    value: fc.array(items.value, { minLength: wrapped ? 0 : 1, maxLength: 3 }),
    leavesTrace: wrapped,
  };
};

/** Sets properties as data, whatever their names. */
const fromEntries = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(entries.filter(([, value]) => value !== undefined));

const objectOf = (members: readonly (readonly [string, Sample])[], xml: object): Sample => ({
  schema: {
    type: 'object',
    properties: fromEntries(members.map(([name, sample]) => [name, sample.schema])),
    xml,
  },
  value: fc
    .tuple(...members.map(([, { value }]) => fc.option(value, { nil: undefined, freq: 4 })))
    .map((values) => fromEntries(members.map(([name], index) => [name, values[index]]))),
  leavesTrace: true,
});

const mapOf = (values: Sample, xml: object): Sample => ({
  schema: { type: 'object', additionalProperties: values.schema, xml },
  value: fc.dictionary(text, values.value, { maxKeys: 3, noNullPrototype: true }),
  leavesTrace: true,
});

/** Two branches that a required property with an enum of one value tells apart. */
const unionOf = (one: Sample, other: Sample): Sample => {
  const branch = (kind: string, { schema, value }: Sample) => ({
    schema: {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string', enum: [kind] }, content: schema },
    },
    value: value.map((content) => ({ kind, content })),
  });
  const branches = [branch('one', one), branch('other', other)] as const;
  return {
    schema: { oneOf: branches.map(({ schema }) => schema) },
    value: fc.oneof(...branches.map(({ value }) => value)),
    leavesTrace: true,
  };
};

const { node } = fc.letrec<{ node: Sample; object: Sample }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    tie('object'),
    tie('node').map(nullable),
    fc.tuple(tie('node'), xmlNames).map(([items, xml]) => arrayOf(items, xml)),
    fc.tuple(tie('node'), xmlNames).map(([values, xml]) => mapOf(values, xml)),
    fc.tuple(tie('node'), tie('node')).map(([one, other]) => unionOf(one, other)),
  ),
  object: objectArbitrary(tie('node')),
}));

function objectArbitrary(member: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc
    .tuple(
      fc.uniqueArray(fc.tuple(propertyName, member), { maxLength: 4, selector: ([name]) => name }),
      xmlNames,
    )
    .map(([members, xml]) => objectOf(members, xml));
}

/** Schemas of every kind. */
export const anySample: fc.Arbitrary<Sample> = node;

/** Schemas of forms: objects of scalars, lists of scalars, and objects. */
export const formSample: fc.Arbitrary<Sample> = objectArbitrary(
  fc.oneof(
    scalar,
    scalar.map((items) => arrayOf(items, {})),
    objectArbitrary(
      fc.oneof(
        scalar,
        scalar.map((items) => arrayOf(items, { wrapped: true })),
      ),
    ),
    objectArbitrary(scalar).map((items) => arrayOf(items, { wrapped: true })),
  ),
);

/** A list of anything. */
export const listSample: fc.Arbitrary<Sample> = anySample.map(({ schema, value }) => ({
  schema: { type: 'array', items: schema },
  value: fc.array(value, { maxLength: 4 }),
  leavesTrace: true,
}));
