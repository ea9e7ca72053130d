/** The documentation as Markdown: what it says, and that no text of a document changes its structure. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import markdownIt from 'markdown-it';
import { parse } from 'yaml';
import { rootFolder } from '../../../scripts/root-folder';
import { documentMarkdown } from '../../../src/document/document-markdown';
import { type ApiDocument, parseApiDocument, schemaContext } from '../../../src/engine';
import type { Operation } from '../../../src/model/operation';
import { serviceMarkdown } from '../../../src/requests/service-markdown';
import { hostileTexts, withHostileTexts } from '../../support/hostile-texts';
import { largeDocument } from '../../support/large-document';
import { casesOf } from '../../support/text-cases';

const url = 'http://a.test/v1';

const partsOf = (document: ApiDocument): readonly string[] => [
  ...documentMarkdown(document, {
    url,
    curlLine: ({ operationId }) => `curl ${operationId}`,
    isMocked: ({ operationId }) => operationId === 'c',
  }),
];

const head = "openapi: 3.1.0\ninfo: { title: Things, version: '1' }\n";

describe('says what the document says', () => {
  test.each(casesOf(join(__dirname, 'document-markdown.cases.txt')))('%s', (_, lines) => {
    const [yaml = '', want = ''] = lines.join('\n').split('\n---\n');
    const text = partsOf(parseApiDocument('things.yaml', head + yaml)).join('');
    const about = `# Things\n\nVersion 1, base URL \`${url}\`, OpenAPI \`${url}/openapi.json\`.\n\n`;
    expect(text.replace(/^## Operations\n\n/m, '')).toBe(`${about}${want}\n`);
  });
});

/** The headings that belong to the page itself, and to no quotation or list. */
const outlineOf = (text: string): readonly string[] => {
  const tokens = markdownIt({ html: true }).parse(text, {});
  return tokens.flatMap((token, at) =>
    token.type === 'heading_open' && token.level === 0
      ? [`${token.tag} ${tokens[at + 1]?.content}`]
      : [],
  );
};

const pageOf = (document: ApiDocument, isMocked = (_: Operation) => false): string =>
  [...serviceMarkdown({ document, tools: schemaContext(document), url, isMocked })].join('');

describe('keeps its structure, whatever the texts hold', () => {
  const document = parse(readFileSync(join(__dirname, 'document-markdown.yaml'), 'utf8'));
  const kept = ['openapi', 'version', 'name', 'in', 'operationId', '0', '$ref', 'type'];
  const endings = ['# H', '\n# H', '\n\n# H\n', '\nH\n===\n', '\n---\n', '```', '\n```\n', '`'];
  const openings = [
    '\n~~~~',
    '- a\n\n',
    '> ',
    '\n\n    code',
    '\n<script>',
    '\n<!--',
    '\n[a]: b',
    '\r# H',
    '\u0085# H',
    '\u2028# H',
    '\0# H',
    '\\',
    '    ',
  ];
  const texts = [...endings, ...openings].map((text) => [JSON.stringify(text), text] as const);

  test.each([...hostileTexts, ...texts])('%s', (_, hostile) => {
    const text = JSON.stringify(withHostileTexts(document, hostile, kept));
    const page = pageOf(parseApiDocument('a.json', text));
    expect(outlineOf(page).map((line) => line.slice(0, 8))).toEqual([
      expect.stringMatching(/^h1 /),
      'h2 tag',
      'h3 `POST',
      'h2 Schem',
      'h3 `A`',
    ]);
    expect(page).not.toMatch(/[^\P{Cc}\n\t]|[\u2028\p{Bidi_Control}]/u);
  });
});

const documents = ['specs', 'test']
  .flatMap((folder) =>
    readdirSync(join(rootFolder, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name),
    ),
  )
  .filter((name) => name.endsWith('.yaml') && !/\.cases\.|node_modules|\/fail\//.test(name))
  .filter((name) => /^openapi: /m.test(readFileSync(join(rootFolder, name), 'utf8')));

test.each(documents)('%s has a section for each operation', (name) => {
  const document = parseApiDocument(name, readFileSync(join(rootFolder, name), 'utf8'));
  const sections = outlineOf(pageOf(document)).filter((line) => /^h3 `+ ?\S+ /.test(line));
  expect(sections).toHaveLength(document.operations.length + document.webhooks.length);
});

test('a document of 1,000 operations is written in as many steps, and others are served between them', () => {
  const document = parseApiDocument('large.json', JSON.stringify(largeDocument(1_000, 20)));
  const parts = partsOf(document);
  const headings = parts.map((part) => [...part.matchAll(/^### `/gm)].length);
  expect(Math.max(...headings)).toBe(1);
  expect(headings.filter((count) => count === 1)).toHaveLength(1_000 + 20);
});
