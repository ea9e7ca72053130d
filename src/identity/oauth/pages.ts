/** The pages of the authorization server: sign-in, consent and errors. They need no script. */

import { type Html, hashSource, html, pageHeaders, trusted } from '../../base/html/html';
import type { HttpResponse } from '../../http/send';
import type { OAuthClient } from '../../storage/identity/clients';
import type { ServiceScopes } from './authorization-request';
import type { EndpointRequest } from './endpoint';
import { type FormNotice, type PageError, type Texts, textsFor } from './texts';

/** The properties that all pages of one request share. */
export interface PageContext {
  readonly texts: Texts;
  /** True where others can read a password: the connection leaves this machine and is not encrypted. */
  readonly isExposed: boolean;
}

/** A request, as far as its pages depend on it. */
export type PageRequest = Pick<EndpointRequest, 'headers' | 'secure'>;

/** Gives what all pages of a request share. */
export const contextOf = ({ headers, secure }: PageRequest): PageContext => {
  const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
  return {
    texts: textsFor(String(headers['accept-language'] ?? '')),
    isExposed: !secure && !loopbackHost.test(String(headers['host'] ?? '')),
  };
};

/** The state of a form. */
export interface FormState {
  /** The secret that proves that the form is from this server. */
  readonly formToken: string;
  readonly notice?: FormNotice | undefined;
  readonly status?: number;
  readonly headers?: HttpResponse['headers'];
}

/** A request for access, which is shown to a user who decides on it. */
export interface AccessRequest {
  readonly client: Pick<OAuthClient, 'name'>;
  readonly scopes: readonly string[];
  /** The place to which the user is sent in the end. */
  readonly redirectUri: string;
  /** Grants it; undefined where it can no longer be granted to this user. */
  allow(userKey: string): Promise<HttpResponse | undefined>;
  deny(): Promise<HttpResponse>;
}

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

const noticeId = 'notice';

const noticeOf = (texts: Texts, notice: FormNotice | undefined): Html | undefined =>
  notice && html`<p class="notice" id="${noticeId}" role="alert">${texts.notices[notice]}</p>`;

const durationOf = (language: string, duration: number): string => {
  const units = [
    { unit: 'day', seconds: 86_400 },
    { unit: 'hour', seconds: 3600 },
    { unit: 'minute', seconds: 60 },
    { unit: 'second', seconds: 1 },
  ] as const;
  const { unit, seconds } = units.find((unit) => duration >= unit.seconds) ?? units[3];
  const format = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, format).format(duration / seconds);
};

/** Makes the pages of a service; at `docsUrl`, its documentation, users can start again. */
export const authorizePages = (
  service: string,
  scopes: ServiceScopes,
  tokenTtlSeconds: number,
  docsUrl: string,
) => {
  const styleSource = hashSource(style);

  /** @param forms - the sources to which the form of the page may lead; undefined: it has none */
  const respond = (
    { texts, isExposed }: PageContext,
    title: string,
    content: Html,
    { status = 200, headers = {} }: Pick<FormState, 'status' | 'headers'>,
    forms?: string,
  ): HttpResponse => ({
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': texts.language,
      'Cache-Control': 'no-store',
      ...pageHeaders([`style-src ${styleSource}`], forms),
      'X-Frame-Options': 'DENY',
      ...headers,
    },
    body: html`<!doctype html>
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
`.html,
  });

  const formPage = (
    context: PageContext,
    state: FormState,
    heading: string,
    content: Html,
    redirectUri: string,
  ): HttpResponse => {
    const { protocol, host, hostname } = new URL(redirectUri);
    // Browsers check redirects after a form, too (CSP Level 3 section 6.4.1). The grammar has no IPv6 addresses: their scheme stands
    // for them.
    const forms = `'self' ${hostname.startsWith('[') ? protocol : `${protocol}//${host}`}`;
    const title = state.notice === undefined ? heading : context.texts.errorPrefix + heading;
    return respond(context, title, content, state, forms);
  };

  const scopeItem = (texts: Texts, scope: string): Html =>
    html`<li><span>${scopes.known.get(scope) ?? texts.undescribedScope}</span> <code>${scope}</code></li>
`;

  return {
    /** @param username the user name of an earlier attempt */
    signIn(
      { client, redirectUri }: AccessRequest,
      context: PageContext,
      state: FormState,
      username = '',
    ): HttpResponse {
      const { texts } = context;
      const { formToken, notice } = state;
      const isAboutValues = notice === 'wrong-credentials' || notice === 'missing-credentials';
      const tied = isAboutValues
        ? html` aria-invalid="true" aria-describedby="${noticeId}"`
        : undefined;
      const focus = html` autofocus`;
      const [atName, atPassword] = username === '' ? [focus] : [undefined, focus];
      const content = html`<h1>${texts.signInTitle}</h1>
<p class="reason">${texts.signInReason(client.name, service)}</p>
${noticeOf(texts, notice)}
<form method="post">
<input type="hidden" name="form_token" value="${formToken}">
<label for="username">${texts.username}</label>
<input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required${atName}${tied}>
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${atPassword}${tied}>
<div class="buttons">
<button class="action" name="action" value="sign-in">${texts.signIn}</button>
<button name="action" value="cancel" formnovalidate>${texts.cancel}</button>
</div>
</form>`;
      return formPage(context, state, texts.signInTitle, content, redirectUri);
    },

    consent(
      { client, redirectUri, scopes: asked }: AccessRequest,
      context: PageContext,
      state: FormState,
      username: string,
    ): HttpResponse {
      const { texts } = context;
      const { formToken, notice } = state;
      const destination = html` ${texts.destination} <b>${new URL(redirectUri).host}</b>.`;
      const duration = durationOf(texts.language, tokenTtlSeconds);
      const content = html`<h1>${texts.consentTitle(client.name)}</h1>
${noticeOf(texts, notice)}
<form method="post">
<input type="hidden" name="form_token" value="${formToken}">
<p id="reason">${texts.consentReason(client.name, service)}</p>
<ul class="scopes" aria-labelledby="reason">
${asked.map((scope) => scopeItem(texts, scope))}</ul>
<p class="facts">${texts.duration(duration)}${destination}</p>
<div class="buttons">
<button class="action" name="action" value="allow">${texts.allow}</button>
<button name="action" value="deny">${texts.deny}</button>
</div>
<p class="facts account">${texts.signedInAs} <b>${username}</b><br>
<button class="link" name="action" value="switch">${texts.switchUser}</button></p>
</form>`;
      return formPage(context, state, texts.consentTitle(client.name), content, redirectUri);
    },

    error(
      error: PageError,
      context: PageContext,
      status: number,
      headers: HttpResponse['headers'] = {},
    ): HttpResponse {
      const { errorTitle, errors, documentation } = context.texts;
      const content = html`<h1>${errorTitle}</h1>
<p class="notice" role="alert">${errors[error]}</p>
<p><a href="${docsUrl}">${documentation}</a></p>`;
      return respond(context, errorTitle, content, { status, headers });
    },
  };
};

/** The pages of one service. */
export type AuthorizePages = ReturnType<typeof authorizePages>;
