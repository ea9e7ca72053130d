/** `npm run contract -- diff`: what it says in each format, what it accepts, and its exit codes. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { testSessions } from '../../../support/sessions';
import { useWorkingFolder } from '../../../support/temporary-folder';
import { readText, tableOf } from '../../../support/text-cases';
import { head } from '../../document/bundle/source-folder';
import { runCommand, runLine } from '../run-command';

const cases = join(__dirname, 'diff.cases.txt');

const document = (parameter: string): string => `${head}paths:
  /a:
    get:
      operationId: list
      parameters:
        - {name: q, in: query, schema: {type: string${parameter}}}
      responses: {'200': {description: A}}
`;

const files = {
  'old.yaml': document(', maxLength: 5'),
  'breaking.yaml': document(', maxLength: 4'),
  'faulty.yaml': document(', maxLength: 5').replace('description', 'x-description'),
  'worse.yaml': document(', maxLength: 4').replace('description', 'x-description'),
};

useWorkingFolder();

/** Runs the command in a folder with these files. */
const diff = async (
  args: readonly string[],
  contents: Readonly<Record<string, string>> = files,
) => {
  for (const [name, text] of Object.entries(contents)) writeFileSync(name, text);
  return runCommand('diff', ...args);
};

testSessions(join(__dirname, 'diff.session.txt'), runLine);

test('sarif: the errors of both documents, and what changed all the same', async () => {
  const { out } = await diff('faulty.yaml worse.yaml --format sarif'.split(' '));
  const [{ tool, artifacts, results }] = JSON.parse(out).runs;
  expect(artifacts).toEqual(['faulty.yaml', 'worse.yaml'].map((uri) => ({ location: { uri } })));
  const text = expect.stringContaining('GET /a (list), request: ');
  expect(results).toMatchObject([
    { ruleId: 'required-field', level: 'error' },
    { ruleId: 'required-field', level: 'error' },
    { ruleId: 'max-length-lowered', level: 'error', message: { text } },
  ]);
  expect(tool.driver.rules[results[2].ruleIndex]).toEqual({
    id: 'max-length-lowered',
    shortDescription: { text: 'maxLength lowered.' },
  });
});

describe('many changes', () => {
  /** Five operations that share a schema, whose requests take each of the properties, and whose responses give them. */
  const sharing = (maximum: number, count: number): string => {
    const properties = Array.from({ length: count }, (_, at) => [
      `p${at}`,
      { type: 'integer', maximum },
    ]);
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Shared' } } };
    const responses = { 200: { description: 'A', content } };
    const paths = ['a', 'b', 'c', 'd', 'e'].map((operationId) => [
      `/${operationId}`,
      { put: { operationId, requestBody: { content }, responses } },
    ]);
    const Shared = { type: 'object', properties: Object.fromEntries(properties) };
    return JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'A', version: '1' },
      paths: Object.fromEntries(paths),
      components: { schemas: { Shared } },
    });
  };

  const diffShared = (count: number, ...args: readonly string[]) =>
    diff(['old.json', 'new.json', ...args], {
      'old.json': sharing(10, count),
      'new.json': sharing(5, count),
    });

  test('text: a cause is told once, with the first of its operations', async () => {
    const { out } = await diffShared(1);
    expect(out).toMatch(
      /^new\.json:\d+:\d+ breaking \(request\) maximum-lowered: .*\n {2}PUT \/a \(a\), PUT \/b \(b\), PUT \/c \(c\), PUT \/d \(d\) and 1 more\n1 breaking change, 0 warnings, 0 compatible changes\n$/,
    );
  });

  test('json: every operation and side has its own', async () => {
    const { out } = await diffShared(1, '--format', 'json');
    expect(JSON.parse(out).changes).toHaveLength(10);
  });

  test('sarif: a cause is one result', async () => {
    const { out } = await diffShared(1, '--format', 'sarif');
    const [{ results }] = JSON.parse(out).runs;
    expect(results).toHaveLength(1);
    expect(results[0].message.text).toMatch(/^PUT \/a .* and 1 more, request: /);
  });

  test('text: a table counts many by their rules', async () => {
    const { out } = await diffShared(21);
    expect(out.split('\n').slice(-4, -1)).toEqual([
      'rule             breaking  warning  compatible',
      'maximum-lowered        21        0           0',
      '21 breaking changes, 0 warnings, 0 compatible changes',
    ]);
    expect((await diffShared(20)).out).not.toContain('\nrule ');
  });

  test('markdown: a table counts many by their rules', async () => {
    const { out } = await diffShared(21, '--format', 'markdown');
    expect(out).toMatch(
      /\n\n\| rule \| breaking \| warning \| compatible \|\n\| --- .*\n\| maximum-lowered \| 21 \| 0 \| 0 \|\n$/,
    );
  });
});

describe('accepted changes', () => {
  const diffAllowing = (text: string) =>
    diff(['old.yaml', 'breaking.yaml', '--allow', 'allow.yaml'], { ...files, 'allow.yaml': text });

  test.each(tableOf(cases, 'accepted'))(
    '%s',
    async (_title, more = '', exitCode = '', err = '') => {
      const entry = `{rule: max-length-lowered, reason: agreed${readText(more)}}`;
      const outcome = await diffAllowing(`allow: [${entry}]`);
      expect(outcome).toMatchObject({ exitCode: Number(exitCode), err: readText(err) });
      expect(outcome.out.includes('max-length-lowered')).toBe(exitCode === '1');
    },
  );

  test.each(tableOf(cases, 'files that cannot be used'))(
    '%s',
    async (_title, text = '', sentence = '') => {
      const outcome = await diffAllowing(text);
      expect(outcome).toMatchObject({ exitCode: 2, out: '' });
      expect(outcome.err).toMatch(/^The file allow\.yaml cannot be used: [^\n]*\n$/);
      expect(outcome.err).toContain(readText(sentence));
    },
  );
});
