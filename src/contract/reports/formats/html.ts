/** The frame of a report: one page that needs nothing beside it, and works from a file. */

import { type Html, hashSource, html, type Part, trusted } from '../../../base/html/html';
import { headLines } from '../../../base/html/page-frame';
import { pageStyle } from '../../../base/html/page-style';
import { reportScript } from './html-script';
import { reportStyle } from './html-style';

const style = `${pageStyle}${reportStyle}`;

// Texts of servers and documents stand in the page: whatever they hold, only this script runs and nothing is fetched.
const policy = [
  "default-src 'none'",
  `style-src ${hashSource(style)}`,
  `script-src ${hashSource(reportScript)}`,
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

/** The contents of a page. */
interface ReportContent {
  /** The kind of the report, which stands in the header. */
  readonly kind: string;
  /** The subject of the report. */
  readonly title: string;
  /** Parts of the page, by the ids that they have. */
  readonly links: readonly { readonly id: string; readonly text: string }[];
  readonly main: Part;
}

/** The page, as text of HTML. */
export const reportPage = ({ kind, title, links, main }: ReportContent): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta http-equiv="Content-Security-Policy" content="${policy}">
${headLines(html`${title}: ${kind}`)}
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header class="site"><span class="site-home">${kind}</span>
<nav aria-label="This report">${links.map(({ id, text }) => html`<a href="#${id}">${text}</a>\n`)}</nav>
</header>
<main id="main" class="report" tabindex="-1">
<h1>${title}</h1>
${main}
</main>
<script>${trusted(reportScript)}</script>
</body>
</html>
`.html;

/** A share of a bar: its class, and how many of the whole. */
type Share = readonly [className: string, count: number];

/** A bar of several shares; what it shows must stand beside it in words. */
export const bar = (shares: readonly Share[]): Html => {
  const total = shares.reduce((sum, [, count]) => sum + count, 0);
  let x = 0;
  const parts = shares.map(([className, count]) => {
    const width = (count / total) * 100;
    x += width;
    return (
      count > 0 &&
      html`<rect class="${className}" x="${(x - width).toFixed(2)}" width="${width.toFixed(2)}" height="8"/>`
    );
  });
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
};

/** The switches above a list; only scripts show them. */
export const filterBar = (choices: readonly (readonly [state: string, text: string])[]): Html =>
  html`<div class="filter" role="search" hidden>
<label>Operation or rule <input type="search" autocomplete="off" spellcheck="false"></label>
<fieldset><legend>Show</legend>${choices.map(
    ([state, text], index) =>
      html`<label><input type="radio" name="state" value="${state}"${index === 0 && html` checked`}><span>${text}</span></label>`,
  )}</fieldset>
<output></output>
</div>
`;

/** `GET /things/{id}` as pages show it. */
export const endpointLine = (endpoint: string): Html => {
  const at = endpoint.indexOf(' ');
  const [method, path] = [endpoint.slice(0, at), endpoint.slice(at + 1)];
  return html`<span class="method ${method.toLowerCase()}">${method}</span> <span class="path">${path}</span>`;
};
