/** Names in a document must not control the terminal or the log that a text is written to, nor forge a line of it. */

import { expect, test } from '@jest/globals';
import { accountLines } from '../../../scripts/dev/contract-account';
import { errorMessage } from '../../../src/base/error-message';
import { diffDocuments } from '../../../src/contract';
import { allowEntryText, readAllowFile } from '../../../src/contract/diff/allow-list';
import { diffFormats } from '../../../src/contract/reports/diff-report';
import { testFormats } from '../../../src/contract/reports/test-report';
import { describeDiagnostic } from '../../../src/document/diagnostics/diagnostic';
import { type ApiDocument, parseApiDocument } from '../../../src/engine';
import { handlerReportLines } from '../../../src/host/handler-report';
import { painter, readableLine } from '../../../src/server/observability/log';
import { progressBar } from '../../../src/tool/test-command';
import { withHostileTexts } from '../../support/hostile-texts';
import { petStoreReport } from '../../support/reports';

const hostile = 'a\u001B[31m\u009B2J\u202E\u2028\nforged';

const documentOf = (more: object): ApiDocument =>
  parseApiDocument(
    'x.json',
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: hostile, version: '1' },
      tags: [{ name: hostile }, { name: hostile }],
      paths: {
        [`/${hostile}`]: {
          get: { operationId: hostile, responses: { 200: { description: hostile } }, ...more },
          put: { operationId: hostile, responses: { 200: { description: hostile } } },
        },
      },
    }),
  );

const old = documentOf({});
const now = documentOf({
  parameters: [{ name: hostile, in: 'query', required: true, schema: { enum: [hostile] } }],
});
const changes = diffDocuments(old, now);
const diff = { changes, problems: [], failOn: 'any' } as const;

const refusal = (): string => {
  try {
    return String(readAllowFile(`${JSON.stringify(hostile)}: 1`));
  } catch (error) {
    return errorMessage(error);
  }
};

const progress = (): string => {
  const written: string[] = [];
  const bar = progressBar((text) => written.push(text), true);
  bar.show({
    document: hostile,
    operation: hostile,
    done: 1,
    total: 2,
    requests: 1,
    failures: 0,
  });
  // The first characters are the bar's own.
  return written.join('').slice('\r\u001B[K'.length);
};

const writers: Readonly<Record<string, () => string>> = {
  diagnostics: () => now.diagnostics.map(describeDiagnostic).join('\n'),
  'a comparison': () => diffFormats.text(diff),
  'a comparison in Markdown': () => diffFormats.markdown(diff),
  'a test': () => testFormats.text(withHostileTexts(petStoreReport(), hostile, ['curl'])),
  'an accepted change': () =>
    allowEntryText({ rule: 'operation-removed', operation: hostile, pointer: hostile, reason: '' }),
  'a list of accepted changes': refusal,
  'handlers at the start': () =>
    handlerReportLines([{ message: hostile, isError: false }]).join('\n'),
  'an account of an edit': () => {
    const app = { problems: [], handlerFindings: [{ message: hostile, isError: true }] };
    const none = { documents: [], problems: [], handlerFindings: [] };
    return accountLines(none, { ...app, documents: [{ ...now, name: hostile }] }).join('\n');
  },
  'a request': () =>
    readableLine(JSON.stringify({ level: 30, status: 200, operation: hostile }), painter(false)),
  'the progress of a test': progress,
};

const control = /[^\P{Cc}\n]|[\p{Bidi_Control}\u2028\u2029]/u;

test.each(Object.keys(writers))('%s', (name) => {
  const text = writers[name]?.() ?? '';
  expect(text).toContain('forged');
  expect(text).not.toMatch(control);
  expect(text).not.toMatch(/^forged/m);
});
