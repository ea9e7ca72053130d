/** The look of pages: the stylesheet of those that are plain HTML, such as the start page, and the lines around their content. */

import { type Html, type HtmlPart, hashSource, html, pageHeaders, trusted } from './html';

/** Custom properties, to stand at the top of a stylesheet. */
export const palette = `:root {
  color-scheme: light dark;
  --paper: #fbfbf9; --sheet: #fff; --ink: #1d2724; --soft: #55625d; --line: #d9dfdb;
  --accent: #1b664d; --accent-deep: #14503c; --wash: #eef4f0; --focus: #0b62c4; --bad: #a3271c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #141a18; --sheet: #1b2320; --ink: #e6ece9; --soft: #a3b1ab; --line: #36423d;
    --accent: #7bd0ae; --accent-deep: #12392c; --wash: #202b27; --focus: #7fb4ff; --bad: #ff9d92;
  }
}
`;

/** The header that pages of a service share. */
export const siteStyle = `.site {
  display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: center; justify-content: space-between;
  padding: .75rem max(1rem, calc((100vw - 76rem) / 2)); background: var(--accent-deep); color: #fff;
  font: 500 1rem/1.5 system-ui, sans-serif;
}
.site a { color: #fff; text-decoration: none; padding: .25rem 0; }
.site a:hover, .site a[aria-current] { text-decoration: underline; text-underline-offset: .3em; }
.site a:focus-visible { outline: 3px solid #fff; outline-offset: 3px; border-radius: 2px; }
.site-home { font-weight: 700; }
.site nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
`;

/** For screens of every width, by day and by night, and for paper. */
export const pageStyle = `${palette}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; background: var(--paper); }
body { margin: 0; color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--accent); text-underline-offset: .2em; }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; }
h1 { font-size: 2rem; } h2 { font-size: 1.5rem; margin-top: 3rem; } h4 { margin-top: 1.25rem; font-size: 1rem; }
p, ul { margin: .5rem 0; }
code, pre, .path { font-family: ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: .9em; }
code { background: var(--wash); padding: .1em .3em; border-radius: 3px; }
pre { margin: .5rem 0; padding: .9rem 1rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--wash); border-radius: 6px; line-height: 1.45; }
pre code { padding: 0; background: none; font-size: 1em; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; }
.skip { position: absolute; left: -100vw; } .skip:focus { position: static; display: block; padding: .75rem 1rem; }
${siteStyle}
main { padding: 2.5rem 0 5rem; } main:focus { outline: none; }
main.alone { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1rem 5rem; }
.version { font-size: 1rem; font-weight: 400; color: var(--soft); }
.item { margin: 1.25rem 0 2rem; padding: 1.25rem 1.4rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; }
.item h3 { font-size: 1.15rem; } .item h3 a { color: inherit; text-decoration: none; } .item h3 a:hover { text-decoration: underline; }
.method { font-weight: 700; font-size: .85em; color: var(--accent); letter-spacing: .02em; }
.method.delete { color: var(--bad); }
.summary { font-size: 1.05rem; } .limits { color: var(--soft); } .limits a { color: var(--accent); }
.warning { color: var(--bad); }
details > summary { cursor: pointer; padding: .2rem 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); gap: 1.25rem; }
.cards .item { margin: 0; } .links { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1.1rem; list-style: none; padding: 0; margin-top: 1rem; }
main.alone h3 { margin-top: 1.5rem; font-size: 1.15rem; } main.alone .item h3 { margin-top: 0; } main.alone .quiet { margin: 1.5rem 0 1rem; }
.button { display: inline-block; padding: .45rem 1rem; border-radius: 6px; background: var(--accent-deep); color: #fff; text-decoration: none; }
.button:hover { text-decoration: underline; }
@media (max-width: 56rem) {
  main { padding-top: 1.5rem; } h1 { font-size: 1.6rem; } .item { padding: 1rem; }
}
@media print {
  .site, .skip { display: none; } main { padding: 0; }
  .item { border: 0; padding: 0; } h2, h3, h4 { break-after: avoid; } pre { break-inside: avoid; }
  pre { white-space: pre-wrap; } a { color: inherit; }
}
`;

/** The stylesheet stands in the page, so that the page can be saved whole. */
export const styleElement = html`<style>${trusted(pageStyle)}</style>`;

/** The headers of these pages: they have no scripts, and no style but this. */
export const plainPageHeaders = pageHeaders([
  `style-src ${hashSource(pageStyle)}`,
  'img-src data:',
]);

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f6f54"/>' +
  '<path d="M13 8c-4 0-1 7-5 8 4 1 1 8 5 8M19 8c4 0 1 7 5 8-4 1-1 8-5 8" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>';

/** Stands in the head of a page; its policy must allow `img-src data:`. */
export const iconLink: Html = html`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(svg)}">`;

/** Writes the first lines in the head of every page; its policy must allow `img-src data:`. */
export const headLines = (title: HtmlPart): Html => html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${iconLink}`;

/** The header of a service's documentation; its addresses are relative to the page. */
export const serviceHeader: Html = html`<header class="site">
<a class="site-home" href="/">Services</a>
<nav aria-label="This service">
<a href="./" aria-current="page">Try it out</a>
<a href="../openapi.yaml">YAML</a>
<a href="../openapi.json">JSON</a>
<a href="../docs.md">Markdown</a>
</nav>
</header>`;
