/** Expects a success, and reads what it says. */

import { expect } from '@jest/globals';
import { type Answered, readExactJson } from './ask';

/** Expects 200; returns the JSON body, undefined where it is empty. */
export const expectOk = ({ status, text }: Answered): unknown => {
  expect([status, text]).toEqual([200, text]);
  return text === '' ? undefined : readExactJson(text);
};
