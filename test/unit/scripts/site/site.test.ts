/** The site: where links lead, what fails it, and that of the project itself. */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rootFolder } from '../../../../scripts/root-folder';
import { makeSite } from '../../../../scripts/site/site';
import { useTemporaryFolder } from '../../../support/temporary-folder';

const files = ['README.md', 'LICENSE', 'docs/README.md', 'docs/use.md', 'docs/a.png', 'src/a.ts'];

/** Makes a site of which the start page has the text. */
const siteOf = (text: string) =>
  makeSite(
    new Map([
      ['README.md', text],
      ['docs/README.md', '# Docs'],
      ['docs/use.md', '# Use\n\n## In `code` & text\n\n## Twice\n\nOnce.\n\n## Twice\n\nAgain.\n'],
    ]),
    files,
  );
const startPage = (text: string) => siteOf(text).written.get('index.html') ?? '';

test.each([
  ['[a](docs/use.md)', '<a href="docs/use.html">a</a>'],
  ['[a](docs/use.md#in-code--text)', '<a href="docs/use.html#in-code--text">a</a>'],
  ['[a](docs/use.md#twice-1)', '<a href="docs/use.html#twice-1">a</a>'],
  ['# B\n\n[a](#b)', '<a href="index.html#b">a</a>'],
  ['[a](docs/)', '<a href="docs/index.html">a</a>'],
  ['[a](LICENSE)', '<a href="LICENSE">a</a>'],
  ['[a](src/)', '<a>a</a>'],
  ['[a](https://example.com/x.md)', '<a href="https://example.com/x.md">a</a>'],
  ['![a](docs/a.png)', '<img src="docs/a.png" alt="a">'],
  ['<b>a</b>', '&lt;b&gt;a&lt;/b&gt;'],
  ['| a |\n|--|\n| b |', '<div class="scroll" tabindex="0"><table>'],
])('%s becomes %s', (text, expected) => {
  expect(startPage(text)).toContain(expected);
});

test('names every link that leads nowhere', () => {
  const text = '[a](docs/use.md#once) [b](docs/b.md)\n\n![c](c.png) [d](../x)\n\n    [e](e.md)\n';
  expect(() => siteOf(text)).toThrow(
    new Error(
      ['docs/use.md#once', 'docs/b.md', 'c.png', '../x'].reduce(
        (all, link) => `${all}\nREADME.md: ${link}`,
        'Dead links:',
      ),
    ),
  );
});

test('a page has the others beside it, and says that it is open', () => {
  const page = siteOf('# Home').written.get('docs/use.html') ?? '';
  expect(page).toContain('<a class="site-home" href="../index.html">Home</a>');
  expect(page).toMatch(
    /<details open><summary>docs<[\s\S]*href="\.\.\/docs\/use\.html"[^>]* aria-current/,
  );
  expect(page).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
});

test('the search has each section with its text', () => {
  const { written, copied } = siteOf('# Home\n\nA <b>\n\n```sh\nrun it\n```\n\n[a](src/a.ts)\n');
  const [, index = ''] =
    /^self\.searchIndex = (.*);\n$/.exec(written.get('search-index.js') ?? '') ?? [];
  expect(JSON.parse(index)).toEqual(
    expect.arrayContaining([
      ['index.html', 'home', 'Home', 'Home', 'A <b> run it\n a '],
      ['docs/use.html', 'twice-1', 'Use', 'Twice', 'Again. '],
    ]),
  );
  expect([...copied]).toEqual(['src/a.ts']);
});

describe('the site of the project', () => {
  const path = useTemporaryFolder();

  test('has no link or source that is missing', () => {
    const options = ['--require', 'tsx/cjs', 'scripts/site/run.ts', path('site')];
    const printed = execFileSync(process.execPath, options, { cwd: rootFolder, encoding: 'utf8' });
    expect(printed).toMatch(/^\d+ pages, /);
    const pages = readdirSync(path('site'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.html'),
    );
    expect(pages).toContain('src/contract/diff/rules.html');
    const texts = new Map(pages.map((page) => [page, readFileSync(path('site', page), 'utf8')]));
    const missing = [...texts].flatMap(([page, text]) =>
      [...text.matchAll(/ (?:href|src)="(?![a-z]+:)([^"#]*)#?([^"]*)"/g)]
        .filter(([, file = '', anchor = '']) => {
          const target = file === '' ? page : join(dirname(page), decodeURI(file));
          if (!existsSync(path('site', target))) return true;
          return anchor !== '' && !texts.get(target)?.includes(` id="${decodeURI(anchor)}"`);
        })
        .map(([link]) => `${page}:${link}`),
    );
    expect(missing).toEqual([]);
  });
});
