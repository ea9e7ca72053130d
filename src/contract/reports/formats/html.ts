/** The frame of a report: one page that needs nothing beside it, has no script, and works from a file. */

import { hashSource, html, type Part, trusted } from '../../../base/html/html';
import { headLines, pageStyle } from '../../../base/html/page-style';

const style = `${pageStyle}
main section > h2 { margin-top: 2rem; }
details.item { margin: .75rem 0; padding: .5rem 1rem; }
details.item summary h3 { display: inline; margin: 0; font-size: 1rem; font-weight: 400; }
details.item pre { max-height: 22rem; overflow-y: auto; }
details.item p { overflow-wrap: anywhere; white-space: pre-wrap; }
code { overflow-wrap: anywhere; }
.scroll { overflow-x: auto; margin-top: .75rem; } .scroll:focus-visible { outline: 3px solid var(--focus); }
table { width: 100%; min-width: 40rem; font-size: .9rem; }
th, td { vertical-align: top; } tbody th, td { font-weight: 400; overflow-wrap: anywhere; }
.rule { font-weight: 600; }
`;

// Texts of servers and documents stand in the page: whatever they hold, nothing runs and nothing is fetched.
const policy = [
  "default-src 'none'",
  `style-src ${hashSource(style)}`,
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * Writes the page, as text of HTML.
 * @param title the kind of the report and its subject
 */
export const reportPage = (title: string, main: Part): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta http-equiv="Content-Security-Policy" content="${policy}">
${headLines(title)}
<style>${trusted(style)}</style>
</head>
<body>
<main class="alone">
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`.html;
