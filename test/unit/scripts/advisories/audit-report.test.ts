/** Outputs of `npm audit --json`. */

import { expect, test } from '@jest/globals';
import { readAudit } from '../../../../scripts/advisories/audit-report';

const advisory = (severity: string) => ({
  ...{ name: 'qs', severity, title: `a ${severity} one`, url: 'https://example.org/1' },
  range: '<6.16.0',
});

const reportOf = (...severities: readonly string[]) => ({
  auditReportVersion: 2,
  vulnerabilities: {
    qs: { name: 'qs', range: '<=6.15.3', via: severities.map(advisory) },
    express: { name: 'express', range: '4.x', severity: 'high', via: ['qs'] },
  },
});

test.each([
  ['none', { auditReportVersion: 2, vulnerabilities: {} }, []],
  ['low ones', reportOf('low', 'moderate'), []],
  [
    'severe ones, once each',
    reportOf('critical', 'low', 'high'),
    [
      'qs <=6.15.3: critical: a critical one (https://example.org/1)',
      'qs <=6.15.3: high: a high one (https://example.org/1)',
    ],
  ],
])('a report of %s gives the high and critical advisories', (_, report, severe) => {
  expect(readAudit(JSON.stringify(report))).toEqual({ severe });
});

test.each([
  ['refuses', { message: '405 Method Not Allowed', statusCode: 405, error: { summary: '' } }],
  ['is not reached', { error: { code: 'ENOAUDIT', summary: '405 Method Not Allowed' } }],
])('where the registry %s, the reason is given', (_, printed) => {
  expect(readAudit(JSON.stringify(printed))).toEqual({ unanswered: '405 Method Not Allowed' });
});

test.each(['', 'npm: command failed', '{}', '{"auditReportVersion":3}'])(
  'anything else is an error: %j',
  (text) => {
    expect(() => readAudit(text)).toThrow();
  },
);
