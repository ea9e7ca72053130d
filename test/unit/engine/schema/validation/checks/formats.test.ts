import { describe, expect, test } from '@jest/globals';
import { formats } from '../../../../../../src/engine/schema/validation/checks/formats';

const check = (format: string, text: string, want: boolean): void => {
  expect(formats.get(format)?.accepts(text)).toBe(want);
};

describe('D05 date and date-time', () => {
  test.each([
    ['date', '2024-02-29', true],
    ['date', '2023-02-29', false],
    ['date', '1900-02-29', false],
    ['date', '2000-02-29', true],
    ['date', '0000-01-01', true],
    ['date', '2024-04-31', false],
    ['date', '2024-13-01', false],
    ['date', '2024-00-01', false],
    ['date', '2024-01-00', false],
    ['date', '2024-1-1', false],
    ['date', '2024-01-01\n', false],
    ['date', '2024-01-01T00:00:00Z', false],
    ['date', '２０２４-01-01', false],
    ['date-time', '2024-02-29T12:30:00Z', true],
    ['date-time', '2024-02-29t12:30:00z', true],
    ['date-time', '2024-02-29T12:30:00.123456789+23:59', true],
    ['date-time', '2024-02-29T12:30:00-00:00', true],
    ['date-time', '2024-02-29 12:30:00Z', false],
    ['date-time', '2024-02-29T12:30:00', false],
    ['date-time', '2024-02-29T12:30Z', false],
    ['date-time', '2024-02-29T12:30:00.Z', false],
    ['date-time', '2024-02-29T12:30:00+0100', false],
    ['date-time', '2024-02-29T12:30:00+01', false],
    ['date-time', '2024-02-29T12:30:00+24:00', false],
    ['date-time', '2024-02-29T12:30:00+00:60', false],
    ['date-time', '2024-02-29T24:00:00Z', false],
    ['date-time', '2024-02-29T23:60:00Z', false],
    ['date-time', '2024-02-30T12:30:00Z', false],
    ['date-time', '2024-02-29', false],
    ['date-time', '1990-12-31T23:59:60Z', true],
    ['date-time', '1990-12-31T15:59:60-08:00', true],
    ['date-time', '1991-01-01T00:59:60.5+01:00', true],
    ['date-time', '1991-01-02T00:59:60+01:00', false],
    ['date-time', '1990-12-30T23:58:60-23:59', false],
    ['date-time', '1990-12-31T23:59:61Z', false],
    ['date-time', '1990-12-31T23:58:60Z', false],
    ['date-time', '1990-12-31T22:59:60Z', false],
    ['date-time', '1990-12-30T23:59:60Z', false],
  ])('D05 %s %j: %s', check);
});

describe('D05 byte', () => {
  test.each([
    ['', true],
    ['AA==', true],
    ['AAA=', true],
    ['AAAA', true],
    ['+/+/', true],
    ['AAA', false],
    ['A===', false],
    ['====', false],
    ['AA=A', false],
    ['=AAA', false],
    ['AA==AAAA', false],
    ['AA-_', false],
    ['AAAA\nAAAA', false],
    ['AAAA\n', false],
  ])('D05 byte %j: %s', (text, want) => check('byte', text, want));

  test('D05 byte of many megabytes', () => {
    check('byte', 'A'.repeat(20_000_000), true);
    check('byte', `${'A'.repeat(20_000_000)}AA!=`, false);
  });
});

describe('D05 the usual formats', () => {
  test.each([
    ['email', 'a.b+c@example.org', true],
    ['email', 'a@b@c', false],
    ['email', `${'a'.repeat(400)}@example.org`, false],
    ['uuid', '123e4567-e89b-12d3-a456-426614174000', true],
    ['uuid', '123e4567', false],
    ['uri', 'https://example.org/a?b#c', true],
    ['uri', '/a', false],
    ['uri-reference', '/a', true],
    ['uri-reference', 'a b', false],
    ['hostname', 'example.org', true],
    ['hostname', '-example', false],
    ['ipv4', '127.0.0.1', true],
    ['ipv4', '256.0.0.1', false],
    ['ipv6', '::1', true],
    ['ipv6', ':::1', false],
    ['duration', 'P3DT12H', true],
    ['duration', 'P', false],
  ])('D05 %s %j: %s', check);

  test.each([
    ['email', `a@${'a-'.repeat(150)}`],
    ['uri', `a:${'/a'.repeat(32_000)}\n`],
    ['uri-reference', `${'/a'.repeat(32_000)}\n`],
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
