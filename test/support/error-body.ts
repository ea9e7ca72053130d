/** Reads an error's body in whichever format it came, and holds it against what every error body must be. */

import { expect } from '@jest/globals';
import { parseStringPromise } from 'xml2js';
import type { Answered } from './ask';

/** The error body of both documents. */
export interface ErrorBody {
  readonly code: number;
  readonly type: string;
  readonly message: string;
}

/** Texts that a response must never disclose: stacks, paths, SQL. */
const innerWorkings =
  /\bat .+:\d+:\d+|node_modules|\.[jt]s:\d|SQLITE|\b(select|insert into|delete from|update) .*\b(from|values|where|set)\b/i;

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const readBody = async ({ headers, text }: Answered): Promise<ErrorBody> => {
  const mediaType = headers['content-type'] ?? '';
  const isXml = mediaType.startsWith('application/xml');
  if (!isXml) expect(mediaType).toMatch(/^application\/json/);
  const value: unknown = isXml
    ? await parseStringPromise(text, { explicitArray: false, explicitRoot: false })
    : JSON.parse(text);
  return {
    code: Number(member(value, 'code')),
    type: String(member(value, 'type')),
    message: String(member(value, 'message')),
  };
};

/** Expects an error, of that status and text where they are given, as ApiResponse that gives nothing away. */
export const expectError = async (
  answered: Answered,
  status?: number,
  message?: string,
): Promise<ErrorBody> => {
  if (status !== undefined)
    expect([answered.status, answered.text]).toEqual([status, answered.text]);
  const body = await readBody(answered);
  expect(body).toEqual({
    code: answered.status,
    type: expect.stringMatching(/^[a-z]+(-[a-z]+)*$/),
    message: expect.stringMatching(/\S/),
  });
  if (message !== undefined) expect(body.message).toBe(message);
  expect(answered.text).not.toMatch(innerWorkings);
  expect(answered.text).not.toContain(process.cwd());
  return body;
};
