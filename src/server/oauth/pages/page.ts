/** Puts a page together, with the headers that keep it from being framed, filled in or kept by others. */

import { type Html, hashSource, html, pageHeaders, trusted } from '../../../base/html/html';
import type { HttpResponse } from '../../../engine';
import type { Texts } from './texts';

/** The style sheet. Colours are AA or better by WCAG 2.2, light and dark. */
const style = `
:root { color-scheme: light dark;
  --back: #f4f6f3; --card: #fff; --text: #1d2724; --soft: #55625d; --line: #87948e; --rule: #d9dfdb;
  --action: #1b664d; --press: #14503c; --on-action: #fff; --bad: #b3261e; --bad-back: #fdecea; --warn: #7a4b00; --warn-back: #fff4de; }
@media (prefers-color-scheme: dark) { :root {
  --back: #141a18; --card: #1b2320; --text: #e6ece9; --soft: #a3b1ab; --line: #78867f; --rule: #36423d;
  --action: #7bd0ae; --press: #a3e2c9; --on-action: #0b2a1f; --bad: #ffb4ab; --bad-back: #3d1a18; --warn: #ffd08a; --warn-back: #362812; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center; justify-content: center;
  padding: 1.5rem 1rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 27rem; padding: 2.25rem 2rem; background: var(--card); border: 1px solid var(--rule);
  border-radius: 1rem; box-shadow: 0 1px 2px rgb(0 0 0 / 6%), 0 12px 32px rgb(0 0 0 / 8%); overflow-wrap: anywhere; }
.service { margin: 0 0 1.25rem; color: var(--soft); font-size: .875rem; font-weight: 600; }
h1 { margin: 0 0 .25rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: .75rem 0; }
.reason { margin-top: 0; color: var(--soft); }
label { display: block; margin: 1.25rem 0 .375rem; font-weight: 600; }
input { width: 100%; padding: .75rem .875rem; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
input[aria-invalid] { border-color: var(--bad); }
.notice, .warning { margin: 1.25rem 0; padding: .75rem 1rem; border-radius: .5rem; border-inline-start: .25rem solid; }
.notice { color: var(--bad); background: var(--bad-back); }
.warning { color: var(--warn); background: var(--warn-back); }
.scopes { margin: 1.25rem 0; padding: 0; list-style: none; border: 1px solid var(--rule); border-radius: .625rem; }
.scopes li { padding: .75rem 1rem; }
.scopes li + li { border-top: 1px solid var(--rule); }
.scopes span { display: block; }
code { color: var(--soft); font: .875rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.facts { color: var(--soft); font-size: .9375rem; }
.facts b { color: var(--text); }
.account { margin: 1.75rem 0 0; padding-top: 1.25rem; border-top: 1px solid var(--rule); }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.75rem; }
button { flex: 1 1 9rem; min-height: 3rem; padding: .625rem 1.25rem; font: inherit; font-weight: 600; border-radius: .5rem; cursor: pointer;
  color: var(--text); background: none; border: 1px solid var(--line); }
button.action { color: var(--on-action); background: var(--action); border-color: var(--action); }
button.action:hover { background: var(--press); }
button.link { flex: none; min-height: 1.5rem; padding: .25rem 0; color: var(--action); border: 0; text-decoration: underline; }
:focus-visible { outline: 3px solid var(--action); outline-offset: 2px; }
@media (max-width: 30rem) { body { justify-content: flex-start; padding: 0; background: var(--card); } main { border: 0; box-shadow: none; padding: 2rem 1.25rem; } }
@media (forced-colors: active) { button.action { border-width: 3px; } }
`;

/** The style sheet as a source of `style-src` (CSP Level 3 section 2.3.1). */
const styleSource = hashSource(style);

/** What a page is made of. */
interface Page {
  readonly texts: Texts;
  readonly title: string;
  /** The name of the service. */
  readonly service: string;
  readonly content: Html;
  /** Whether others could read a password: the connection is not encrypted, and leaves this machine. */
  readonly isExposed: boolean;
  readonly status?: number;
  /** Where the page's form may lead to beside the page itself. */
  readonly redirectUri?: string;
  readonly headers?: HttpResponse['headers'];
}

/**
 * Browsers hold redirects after a form to `form-action`, too (CSP Level 3 section 6.4.1), so the client's origin stands there. An
 * IPv6 address has no place in that grammar: its scheme stands for it.
 */
const formSource = (redirectUri: string | undefined): string => {
  if (redirectUri === undefined) return "'none'";
  const { protocol, host, hostname } = new URL(redirectUri);
  return `'self' ${hostname.startsWith('[') ? protocol : `${protocol}//${host}`}`;
};

const documentOf = ({
  texts,
  title,
  service,
  content,
  isExposed,
}: Page): Html => html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} – ${service}</title>
<style>${trusted(style)}</style>
</head>
<body>
<main>
<p class="service">${service}</p>
${isExposed ? html`<p class="warning" role="note">${texts.unencrypted}</p>` : undefined}
${content}
</main>
</body>
</html>
`;

/** Makes the response. */
export const pageResponse = (page: Page): HttpResponse => ({
  status: page.status ?? 200,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': page.texts.language,
    'Cache-Control': 'no-store',
    ...pageHeaders([`style-src ${styleSource}`], formSource(page.redirectUri)),
    'X-Frame-Options': 'DENY',
    ...page.headers,
  },
  body: documentOf(page).html,
});
