import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { formats } from '../../../../../src/schema/validation/checks/formats';
import { readText, tableOf } from '../../../../support/text-cases';

const cases = join(__dirname, 'formats.cases.txt');

const check = (format: string, text: string, want: boolean): void => {
  expect(formats.get(format)?.accepts(text)).toBe(want);
};

const checkRow = (format = '', text = '', want = ''): void =>
  check(format, readText(text), want === 'true');

describe('D05 date and date-time', () => {
  test.each(tableOf(cases, 'date and date-time'))('D05 %s %j: %s', checkRow);
});

describe('D05 byte', () => {
  test.each(tableOf(cases, 'byte'))('D05 byte %j: %s', (text, want) =>
    checkRow('byte', text, want),
  );

  test('D05 byte of many megabytes', () => {
    check('byte', 'A'.repeat(20_000_000), true);
    check('byte', `${'A'.repeat(20_000_000)}AA!=`, false);
  });
});

describe('D05 the usual formats', () => {
  test.each(tableOf(cases, 'the usual formats'))('D05 %s %j: %s', checkRow);

  test.each([
    ['email', `a@${'a-'.repeat(150)}`],
    ['uri', `a:${'/a'.repeat(32_000)}\n`],
    ['uri-reference', `${'/a'.repeat(32_000)}\n`],
    ['iri', `http://${'ä'.repeat(100_000)}@@`],
    ['uri-template', '{a'.repeat(30_000)],
    ['json-pointer', `${'/a'.repeat(100_000)}~`],
    ['idn-hostname', 'ä'.repeat(1_000_000)],
    ['regex', '('.repeat(9_999)],
    ['hostname', `${'a-'.repeat(126)}!`],
    ['ipv6', ':'.repeat(45)],
    ['duration', `P${'1'.repeat(99)}`],
    ['date-time', `2024-01-01T00:00:00.${'1'.repeat(1_000_000)}x`],
  ])('D05 %s refuses hostile text', (format, text) => check(format, text, false));

  test.each([...formats.keys()])('D05 %s says nothing of other types', (format) => {
    expect(formats.get(format)?.accepts(5)).toBe(true);
    expect(formats.get(format)?.accepts(new Uint8Array(1))).toBe(true);
  });
});
