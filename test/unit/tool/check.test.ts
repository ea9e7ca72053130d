/** `npm run contract -- check`: what it says in each format, and its exit codes. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rootFolder } from '../../../scripts/root-folder';
import { ruleDescriptions } from '../../../src/document/diagnostics/diagnostic';
import { runScript } from '../../support/run-script';
import { testSessions } from '../../support/sessions';
import { useWorkingFolder } from '../../support/temporary-folder';
import { head } from '../document/bundle/source-folder';
import { runLine } from './run-command';

useWorkingFolder();

testSessions(join(__dirname, 'check.session.txt'), runLine);

test('sarif', async () => {
  writeFileSync(
    'faulty.yaml',
    `${head}paths: {/a: {get: {operationId: a, responses: {'200': {}}}}}\n`,
  );
  writeFileSync('bad file.yaml', 'a: [');
  const { out } = await runLine("contract check faulty.yaml 'bad file.yaml' --format sarif");
  const [faulty, bad] = ['faulty.yaml', 'bad%20file.yaml'];
  const { runs, ...log } = JSON.parse(out);
  const [{ tool, results, ...run }] = runs;
  expect([log, run]).toEqual([
    { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0' },
    {
      columnKind: 'utf16CodeUnits',
      artifacts: [faulty, bad].map((uri) => ({ location: { uri } })),
    },
  ]);
  const place = (uri: string, startLine: number, startColumn: number) => ({
    artifactLocation: { uri },
    region: { startLine, startColumn },
  });
  const element = { fullyQualifiedName: '/paths/~1a/get/responses/200', kind: 'element' };
  expect(results).toEqual([
    {
      ruleId: 'required-field',
      ruleIndex: expect.any(Number),
      level: 'error',
      message: { text: 'Add the required field `description` to this response.' },
      locations: [{ physicalLocation: place(faulty, 3, 55), logicalLocations: [element] }],
    },
    {
      ruleId: 'yaml',
      ruleIndex: expect.any(Number),
      level: 'error',
      message: { text: 'The [ of line 1 is not closed. Add its ].' },
      locations: [{ physicalLocation: place(bad, 1, 4) }],
    },
  ]);
  const { name, rules } = tool.driver;
  expect(name).toBe('spec-first');
  for (const { ruleId, ruleIndex } of results) {
    expect(rules[ruleIndex]).toEqual({
      id: ruleId,
      shortDescription: { text: expect.stringMatching(/^[A-Z].*\.$/) },
    });
  }
});

test('the documents of the project have no errors', () => {
  const specs = readdirSync(join(rootFolder, 'specs'))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => join('specs', file));
  const script = join(rootFolder, 'scripts/contract/run.ts');
  const { status, out, err } = runScript(rootFolder, script, 'check', ...specs);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toMatch(
    /^specs\/ads\.yaml:\d+:\d+ warning: .*\n0 errors, 2 warnings in \d files\n$/s,
  );
});

test('every rule is used somewhere', () => {
  const sources = readdirSync(join(rootFolder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:document|engine)\b.*\.ts$/.test(name) && !name.endsWith('diagnostic.ts'))
    .map((name) => join('src', name));
  const others = [
    'contract/diff/version-rise.ts',
    'host/document-places.ts',
    'tool/check-command.ts',
  ];
  const text = [...sources, ...others.map((name) => join('src', name))]
    .map((name) => readFileSync(join(rootFolder, name), 'utf8'))
    .join('');
  const unused = Object.keys(ruleDescriptions).filter((rule) => !text.includes(`'${rule}'`));
  expect(unused).toEqual([]);
});
