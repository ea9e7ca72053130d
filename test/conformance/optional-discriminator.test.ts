/** Values without the property that names their schema (OAS 3.2.0, Optional Discriminating Property), in each format. */

import { beforeAll, expect, test } from '@jest/globals';
import { serveDocument } from '../support/serve-document';
import { ask } from './ask';

const int64 = { type: 'integer', format: 'int64' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const variant = (kind: object, property: string, required: readonly string[]) => ({
  type: 'object',
  required: [...required, property],
  properties: { petType: kind, [property]: int64 },
});

const schemas = {
  Cat: variant({ enum: ['Cat'], type: 'string' }, 'lives', ['petType']),
  Dog: variant({ enum: ['dog'], type: 'string' }, 'bones', ['petType']),
  OtherPet: variant({ type: 'string', not: { enum: ['Cat', 'dog'] } }, 'legs', []),
  Pet: {
    xml: { name: 'pet' },
    oneOf: [ref('Cat'), ref('Dog'), ref('OtherPet')],
    discriminator: { propertyName: 'petType', mapping: { dog: 'Dog' }, defaultMapping: 'OtherPet' },
  },
};

const formats = ['application/json', 'application/xml', 'application/x-www-form-urlencoded'];
const contentOf = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: ref('Pet') }]));

let origin = '';
const seen: unknown[] = [];

beforeAll(async () => {
  const { url } = await serveDocument({
    document: {
      openapi: '3.2.0',
      paths: {
        '/pets': {
          post: {
            operationId: 'addPet',
            requestBody: { required: true, content: contentOf(formats) },
            responses: { 200: { content: contentOf(formats.slice(0, 2)) } },
          },
        },
      },
      components: { schemas },
    },
    handlers: {
      addPet: ({ body }) => {
        seen.push(body);
        return { status: 200, body };
      },
    },
  });
  origin = url;
});

const send = (type: string, body: string) =>
  ask(origin, '/pets', { method: 'POST', headers: { 'Content-Type': type }, body });

const big = 9007199254740993n;

test.each<[title: string, type: number, body: string, want: object]>([
  ['JSON without the property', 0, `{"legs":${big}}`, { legs: big }],
  ['JSON of another value', 0, `{"petType":"bird","legs":2}`, { petType: 'bird', legs: 2n }],
  ['JSON of a value', 0, `{"petType":"Cat","lives":${big}}`, { petType: 'Cat', lives: big }],
  ['JSON of a mapped value', 0, `{"petType":"dog","bones":1}`, { petType: 'dog', bones: 1n }],
  ['XML without the property', 1, `<pet><legs>${big}</legs></pet>`, { legs: big }],
  ['a form without the property', 2, `legs=${big}`, { legs: big }],
  ['a form of a mapped value', 2, 'petType=dog&bones=3', { petType: 'dog', bones: 3n }],
])('W44 %s', async (_title, type, body, want) => {
  seen.length = 0;
  const response = await send(formats[type] ?? '', body);
  expect([response.status, seen]).toEqual([200, [want]]);
  if (type === 0) expect(response.text).toBe(body);
});

test.each([
  ['without the property of the default', '{"lives":9}'],
  ['with a value that names another', '{"petType":"Cat","legs":9}'],
  ['with a value that is mapped', '{"petType":"dog","legs":9}'],
])('W44 a value is refused: %s', async (_title, body) => {
  seen.length = 0;
  const { status } = await send('application/json', body);
  expect([status, seen]).toEqual([400, []]);
});
