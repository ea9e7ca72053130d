/** Expects 503 (RFC 9110 section 15.6.4), and what comes with it. */

import { expect } from '@jest/globals';
import type { Answered } from './ask';
import { expectError } from './error-body';

/** Expects an answer that says when to ask again, and nothing of the reason. */
export const expectUnavailable = async (answered: Answered): Promise<void> => {
  const message = 'The database is not available at the moment';
  const body = await expectError(answered, 503, message);
  expect(body.type).toBe('unavailable');
  expect(answered.headers['retry-after']).toMatch(/^[1-9]\d*$/);
};

/** Expects an answer that says that nobody knows whether the change was made, and not to repeat it blindly. */
export const expectUnknownOutcome = async (answered: Answered): Promise<void> => {
  const body = await expectError(answered, 503);
  expect(body.message).toMatch(/check whether it was made/);
  expect(answered.headers['retry-after']).toBeUndefined();
};
