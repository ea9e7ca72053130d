/** Makes a site of Markdown pages: each with a navigation and a search, and none with a link that leads nowhere. */

import { posix } from 'node:path';
import markdownIt from 'markdown-it';
import { groupBy } from '../../src/base/group-by';
import { type Html, html, trusted } from '../../src/base/html/html';
import { headLines, pageStyle } from '../../src/base/html/page-style';

const parser = markdownIt({ html: false });
type Tokens = ReturnType<typeof parser.parse>;

// What is wider than a phone scrolls by itself.
parser.renderer.rules['table_open'] = () => '<div class="scroll" tabindex="0"><table>';
parser.renderer.rules['table_close'] = () => '</table></div>';

/** A heading with the text below it, as the search finds it. */
interface Passage {
  readonly anchor: string;
  readonly heading: string;
  text: string;
}

interface Page {
  readonly source: string;
  /** Its file in the site. */
  readonly target: string;
  readonly title: string;
  readonly tokens: Tokens;
  readonly passages: readonly Passage[];
}

const plainText = (tokens: Tokens | null | undefined): string =>
  (tokens ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');

/** Returns the anchor of a heading as GitHub does: the second of the same name is `name-1`. */
const anchorOf = (heading: string, taken: readonly Passage[]): string => {
  const name = heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  const same = taken.filter(({ anchor }) => anchor.replace(/-\d+$/, '') === name);
  return same.length === 0 ? name : `${name}-${same.length}`;
};

const targetOf = (source: string): string =>
  source.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');

const readPage = (source: string, text: string): Page => {
  const tokens = parser.parse(text, {});
  const passages: Passage[] = [{ anchor: '', heading: source, text: '' }];
  for (const [index, token] of tokens.entries()) {
    const last = passages.at(-1);
    if (token.type === 'heading_open') {
      const heading = plainText(tokens[index + 1]?.children);
      const anchor = anchorOf(heading, passages);
      token.attrSet('id', anchor);
      passages.push({ anchor, heading, text: '' });
    } else if (last !== undefined && tokens[index - 1]?.type !== 'heading_open') {
      const more = token.type === 'inline' ? plainText(token.children) : token.content;
      if (more !== '') last.text += `${more} `;
    }
  }
  const title = passages[1]?.heading ?? source;
  return { source, target: targetOf(source), title, tokens, passages };
};

/** The files that a page may lead to, and what was found of them. */
interface Project {
  readonly pages: ReadonlyMap<string, Page>;
  readonly hasFile: (path: string) => boolean;
  readonly hasFolder: (path: string) => boolean;
  /** The files beside the pages that they show or lead to. */
  readonly files: Set<string>;
  readonly dead: string[];
}

/** Returns an address in the site; undefined for a folder without a page, which the site does not have. */
const addressIn = (page: Page, link: string, project: Project): string | undefined => {
  if (/^[a-z]+:/.test(link)) return link;
  const [path = '', anchor] = decodeURI(link).split('#');
  const file = path === '' ? page.source : posix.join(posix.dirname(page.source), path);
  const to = project.pages.get(file) ?? project.pages.get(posix.join(file, 'README.md'));
  const isMissing =
    to === undefined
      ? !project.hasFile(file) && !project.hasFolder(file)
      : anchor !== undefined && !to.passages.some((passage) => passage.anchor === anchor);
  if (isMissing) project.dead.push(`${page.source}: ${link}`);
  if (to === undefined && !project.hasFile(file)) return undefined;
  if (to === undefined) project.files.add(file);
  const target = posix.relative(posix.dirname(page.target), to?.target ?? file);
  return encodeURI(target) + (anchor === undefined ? '' : `#${encodeURI(anchor)}`);
};

const resolveLinks = (page: Page, project: Project): void => {
  for (const token of page.tokens.flatMap(({ children }) => children ?? [])) {
    const attribute = { link_open: 'href', image: 'src' }[token.type] ?? '';
    const link = token.attrGet(attribute);
    if (link === null) continue;
    const address = addressIn(page, String(link), project);
    if (address === undefined) token.attrs = null;
    else token.attrSet(attribute, address);
  }
};

const style = trusted(`${pageStyle}
.columns { display: flex; gap: 2.5rem; max-width: 80rem; margin: 0 auto; padding: 0 1rem; }
.columns main { flex: 1; min-width: 0; max-width: 56rem; padding: 2rem 0 5rem; }
.columns > nav { flex: 0 0 15rem; padding: 2rem 0; font-size: .95rem; }
.columns ul { padding-left: 1.25rem; } .columns > nav ul { list-style: none; padding: 0 0 0 .75rem; }
nav [aria-current] { font-weight: 700; } main img { max-width: 100%; } h3 { margin-top: 1.75rem; }
.scroll { overflow-x: auto; } .scroll table { font-size: .95rem; } .scroll td { vertical-align: top; min-width: 6rem; }
.site input { font: inherit; width: min(22rem, 100%); padding: .3rem .6rem; border: 1px solid var(--line); border-radius: 6px; }
#found { max-width: 60rem; margin: 0 auto; padding: 1rem 1rem 1rem 2.5rem; } #found li { margin: .6rem 0; }
@media (max-width: 56rem) { .columns { display: block; } .columns > nav { padding: 1rem 0 0; } }
`);

/** Writes the navigation: the pages by their folders, of which that of the page is open. */
const navigation = (page: Page, pages: readonly Page[], root: string): Html => {
  const partOf = ({ source }: Page): string =>
    source.includes('/') ? (source.split('/')[0] ?? '') : 'Start';
  const parts = [...groupBy(pages, partOf)].map(([part, mine]) => {
    const links = mine.map(
      ({ target, title, source }) =>
        html`<li><a href="${root}${target}" title="${source}"${trusted(source === page.source ? ' aria-current="page"' : '')}>${title}</a></li>`,
    );
    return html`<details${trusted(part === partOf(page) ? ' open' : '')}><summary>${part}</summary><ul>${links}</ul></details>`;
  });
  return html`<nav aria-label="Pages">${parts}</nav>`;
};

const writePage = (page: Page, pages: readonly Page[]): string => {
  const root = posix.relative(posix.dirname(page.target), '') || '.';
  const content = parser.renderer.render(page.tokens, parser.options, {});
  return html`<!doctype html>
<html lang="en"><head>
${headLines(page.title)}
<style>${style}</style>
<script defer src="${root}/search.js"></script>
</head><body data-root="${root}/">
<a class="skip" href="#content">Skip to the content</a>
<header class="site"><a class="site-home" href="${root}/index.html">${pages[0]?.title}</a>
<input type="search" placeholder="Search" aria-label="Search" aria-controls="found" hidden></header>
<ol id="found" aria-live="polite" hidden></ol>
<div class="columns">${navigation(page, pages, `${root}/`)}<main id="content">
${trusted(content)}</main></div>
</body></html>
`.html;
};

/** A site: the files to write, by their paths, and those of the project to copy beside them. */
export interface Site {
  readonly written: ReadonlyMap<string, string>;
  readonly copied: ReadonlySet<string>;
}

/**
 * Makes a site.
 *
 * @param texts - the pages, by their paths in the project; the first is the start page
 * @param among - the paths of all files of the project
 * @throws Error that lists links to files and headings which are not there
 */
export const makeSite = (texts: ReadonlyMap<string, string>, among: readonly string[]): Site => {
  const pages = [...texts].map(([source, text]) => readPage(source, text));
  const files = new Set(among);
  const project: Project = {
    pages: new Map(pages.map((page) => [page.source, page])),
    hasFile: (path) => files.has(path),
    hasFolder: (path) => among.some((file) => file.startsWith(`${path.replace(/\/$/, '')}/`)),
    files: new Set(),
    dead: [],
  };
  for (const page of pages) resolveLinks(page, project);
  if (project.dead.length > 0) throw new Error(`Dead links:\n${project.dead.join('\n')}`);
  const index = pages.flatMap(({ target, title, passages }) =>
    passages.map(({ anchor, heading, text }) => [target, anchor, title, heading, text]),
  );
  const written = new Map(pages.map((page) => [page.target, writePage(page, pages)]));
  written.set('search-index.js', `self.searchIndex = ${JSON.stringify(index)};\n`);
  return { written, copied: project.files };
};
