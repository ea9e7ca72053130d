/** Expects a success, and reads what it says. */

import { expect } from '@jest/globals';
import { type Answered, readExactJson } from './ask';

/** Expects 200; resolves to the JSON body, nothing where there is none. */
export const expectOk = ({ status, text }: Answered): unknown => {
  expect([status, text]).toEqual([200, text]);
  return text === '' ? undefined : readExactJson(text);
};
