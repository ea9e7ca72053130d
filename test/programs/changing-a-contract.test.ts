/** The steps of specs/changing-a-contract.md, in a copy of the project. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { rootFolder } from '../../scripts/root-folder';
import { checkTypes, copyProject, removeCopy } from '../support/check-types';
import { runScript } from '../support/run-script';
import { type Services, startServices } from '../support/services';

const guide = readFileSync(join(rootFolder, 'specs/changing-a-contract.md'), 'utf8');
const blocks = [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', text = '']) => ({ language, text }),
);

/** The one code block of a language that has the text in it. */
const block = (language: string, part: string): string => {
  const [found, ...others] = blocks.filter(
    (one) => one.language === language && one.text.includes(part),
  );
  if (found === undefined || others.length > 0) throw new Error(`${part}: no block, or several`);
  return found.text;
};

let copy = '';
let services: Services | undefined;
/** The output of the commands, in the order of the guide. */
const printed: Record<string, string> = {};

const edit = (file: string, change: (text: string) => string): void => {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`The guide changes nothing in ${file}`);
  writeFileSync(path, changed);
};

const run = (script: string, ...args: readonly string[]): string => {
  const { out, err } = runScript(copy, join(copy, script), ...args);
  return out + err;
};

beforeAll(async () => {
  copy = copyProject([
    'src',
    'handlers',
    'specs',
    'scripts/contract',
    'scripts/generate',
    'scripts/machine',
    'scripts/root-folder.ts',
  ]);
  edit('specs/ads.yaml', (text) =>
    text.replace('  /ad:\n', `  /ad:\n${block('yaml', 'operationId: listAds')}`),
  );
  printed['check'] = run('scripts/contract/run.ts', 'check', 'specs/ads.yaml');
  printed['generate'] = run('scripts/generate/run.ts');
  printed['types'] = `${checkTypes(copy, ['handlers']).join('\n')}\n`;
  printed['stubs'] = run('scripts/contract/run.ts', 'stubs');
  printed['stub'] = readFileSync(join(copy, 'handlers/ads/ad.ts'), 'utf8');
  edit('handlers/ads/collections.ts', (text) =>
    text.replace(/export const collections = [\s\S]*?;\n/, block('ts', 'export const collections')),
  );
  edit('handlers/ads/ad.ts', () => block('ts', 'export const adHandlers'));
  printed['types at the end'] = checkTypes(copy, ['handlers']).join('\n');
  services = await startServices({
    SPECS_DIRECTORY: join(copy, 'specs'),
    HANDLERS_DIRECTORY: join(copy, 'handlers'),
  });
});

afterAll(async () => {
  await services?.stop();
  removeCopy(copy);
});

test.each(['check', 'generate', 'types', 'stubs'])('%s prints what the guide shows', (command) => {
  expect(printed[command]).not.toBe('');
  expect(guide).toContain(`\n${printed[command]}`);
});

test('the stub is the one that the guide shows', () => {
  expect(printed['stub']).toContain(block('ts', 'notImplemented'));
});

test('the handler compiles', () => {
  expect(printed['types at the end']).toBe('');
});

describe('the handler', () => {
  const sale = 'À la vente';
  const ads = [
    ['Studio', sale, 'Publiée'],
    ['Loft', 'À la location', 'Publiée'],
    ['Grange', sale, 'Non publiée'],
    ['Villa', sale, 'Publiée'],
  ] as const;
  const ask = (target: string, asked = {}) => {
    if (services === undefined) throw new Error('The server has not started');
    return services.ask(target, asked);
  };

  beforeAll(async () => {
    for (const [title, propertyType, publicationStatus] of ads) {
      const { status } = await ask('POST /ads/ad', {
        token: services?.adToken,
        body: {
          ...{ title, propertyType, publicationStatus, propertyStatus: 'Disponible' },
          ...{ description: 'Calme', price: 1000, availabilityDate: '2030-01-01T09:00:00Z' },
          userName: 'demo',
        },
      });
      if (status !== 200) throw new Error(`${title} is not published: ${status}`);
    }
  });

  test.each<[query: Record<string, string>, titles: readonly string[]]>([
    [{}, ['Studio', 'Loft', 'Villa']],
    [{ propertyType: sale }, ['Studio', 'Villa']],
    [{ propertyType: sale, offset: '1', limit: '1' }, ['Villa']],
    [{ limit: '2' }, ['Studio', 'Loft']],
    [{ offset: '3' }, []],
  ])('lists %j', async (query, titles) => {
    const { status, text } = await ask(`GET /ads/ad?${new URLSearchParams(query)}`);
    expect(status).toBe(200);
    expect(JSON.parse(text).map(({ title }: { readonly title: string }) => title)).toEqual(titles);
  });

  test('answers as the guide shows', async () => {
    const query = new URLSearchParams({ propertyType: sale, offset: '1', limit: '1' });
    expect(guide).toContain(`\n${(await ask(`GET /ads/ad?${query}`)).text}\n`);
    expect(guide).toContain(`\n${(await ask('GET /ads/ad?limit=0')).text}\n`);
  });
});

test.each([
  ['GitHub', 'GITHUB_BASE_REF', ['name', 'on', 'permissions', 'jobs']],
  ['GitLab', 'CI_DEFAULT_BRANCH', ['default', 'variables', 'contract', 'deployed']],
])('the workflow of %s is YAML, and runs a program that is there', (_title, part, keys) => {
  const text = block('yaml', part);
  expect(Object.keys(parse(text))).toEqual(keys);
  for (const [, file = ''] of text.matchAll(/\.contract-tool\/([\w./-]+\.(?:ts|mjs))/g)) {
    expect(() => readFileSync(join(rootFolder, file))).not.toThrow();
  }
});
