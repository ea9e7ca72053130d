import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readPostgresUrl, withoutSecrets } from '../../../../src/storage/postgres/connection-url';
import { tableOf, valuesOf } from '../../../support/text-cases';

const cases = join(__dirname, 'connection-url.cases.txt');

describe('readPostgresUrl', () => {
  test.each(tableOf(cases, 'URLs that are read'))('%s', (url = '', hosts = '', wanted = '') => {
    const isPooled = url.includes('pgbouncer=true');
    expect(readPostgresUrl(url)).toEqual({ hosts: JSON.parse(hosts), wanted, isPooled });
  });

  test.each<[string, RegExp]>([
    ['postgres://u:se/cret@a/db', /^its URL is invalid: write @, :, \/, \? and # of a password as/],
    ['postgres://a,b:port/db', /^its URL is invalid/],
    [
      'postgres://a/db?sslmode=prefer',
      /^sslmode must be disable, require, verify-ca or verify-full$/,
    ],
    ['postgres://a/db?pgbouncer=1', /^pgbouncer must be true or false$/],
    [
      'postgres://a/db?target_session_attrs=master',
      /^target_session_attrs must be any, read-write or primary$/,
    ],
  ])('refuses %s', (url, sentence) => {
    expect(() => readPostgresUrl(url)).toThrow(sentence);
    expect(() => readPostgresUrl(url)).toThrow(/^((?!cret).)*$/);
  });
});

describe('withoutSecrets', () => {
  test.each(valuesOf<[string, string]>(cases, 'withoutSecrets'))('%s', (url, shown) => {
    expect(withoutSecrets(url)).toBe(shown);
  });
});
