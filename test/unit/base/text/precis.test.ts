/** Examples of RFC 8265 (sections 3.5 and 4.3) and our own. */

import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  comparableUserName,
  opaqueString,
  userNameProblem,
} from '../../../../src/base/text/precis';
import { fullText, tableOf } from '../../../support/text-cases';

const table = (title: string): string[][] =>
  tableOf(join(__dirname, 'precis.cases.txt'), title).map((row) => row.map((one) => fullText(one)));

describe('userNameProblem', () => {
  test.each(table('names that are taken'))('takes %j', (name = '') => {
    expect(userNameProblem(name)).toBeUndefined();
  });

  test.each(table('names that are refused'))('refuses %s', (_title, wanted = '', name = '') => {
    expect(userNameProblem(name)).toContain(wanted);
  });
});

describe('comparableUserName', () => {
  test.each(table('names that are the same'))(
    'does not know %s',
    (_title, one = '', other = '') => {
      expect(comparableUserName(one)).toBe(comparableUserName(other));
      expect(comparableUserName(comparableUserName(one))).toBe(comparableUserName(one));
    },
  );

  test.each(table('names that differ'))('keeps apart %s', (_title, one = '', other = '') => {
    expect(comparableUserName(one)).not.toBe(comparableUserName(other));
  });
});

describe('opaqueString', () => {
  test.each(table('passwords'))('%s', (_title, password = '', wanted = '') => {
    expect(opaqueString(password)).toBe(wanted);
  });
});
