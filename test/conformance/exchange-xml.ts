/** Serves schemas with XML names, and holds what comes back against what is expected. */

import { beforeAll, expect } from '@jest/globals';
import { type Echo, refused, type SendTo, serveSchemas } from './serve-schemas';

export const xml = 'application/xml';
export const json = 'application/json';
const int64 = { type: 'integer', format: 'int64' };
const text = { type: 'string' };
const petRef = { $ref: '#/components/schemas/Pet' };
const object = (properties: object, more: object = {}): object => ({
  type: 'object',
  xml: { name: 'o' },
  properties,
  ...more,
});

let sendTo: SendTo;
beforeAll(async () => {
  sendTo = await serveSchemas(
    {
      pet: petRef,
      pets: { type: 'array', items: petRef },
      token: text,
      nulls: object({
        n: { ...int64, nullable: true },
        a: { ...text, nullable: true, xml: { attribute: true } },
        s: { ...text, nullable: false },
      }),
      scalars: object({
        n: int64,
        d: { type: 'number' },
        b: { type: 'boolean' },
        t: { ...text, format: 'date-time' },
      }),
      tags: object({ id: int64, tag: { type: 'array', items: text } }, { required: ['id'] }),
      wrapped: object({ tag: { type: 'array', xml: { wrapped: true }, items: int64 } }),
      closed: object({ id: int64 }, { additionalProperties: false }),
      named: object(
        { id: { ...int64, xml: { namespace: 'http://a.test/ns#v1', prefix: 'a' } } },
        { xml: { name: 'o', namespace: 'http://a.test/root', prefix: 'r' } },
      ),
      rules: object(
        {
          id: { ...int64, readOnly: true },
          secret: { ...text, writeOnly: true },
          status: { ...text, enum: ['new', 'old'], default: 'new' },
          day: { ...text, format: 'date' },
        },
        { required: ['id', 'secret'] },
      ),
    },
    {
      Pet: { type: 'object', xml: { name: 'pet' }, properties: { id: int64, name: text } },
    },
  );
});

/** A text that is refused. */
export type Bad = [title: string, schema: string, sent: string | Uint8Array];

/** What every XML text begins with. */
export const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Sends a text to the schema of that name. */
export const send = (...sent: Parameters<SendTo>): Promise<Echo> => sendTo(...sent);

/** Refused as a bad body, and the handler was not called. */
export const refuses = async (...[, schema, sent]: Bad): Promise<void> => {
  const echo = await send(schema, sent, xml, json);
  expect([echo.status, echo.received, JSON.parse(echo.body).type]).toEqual([
    400,
    refused,
    'invalid-body',
  ]);
};
