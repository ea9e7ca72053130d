/** The three pages that a user may see: sign in, allow or deny, and what went wrong. They need no script. */

import { type Html, html } from '../../../base/html/html';
import type { HttpResponse } from '../../../engine';
import type { AuthorizationRequest, ServiceScopes } from '../protocol/authorization-request';
import { pageResponse } from './page';
import type { FormNotice, PageError, Texts } from './texts';

/** What every page of one request has in common. */
export interface PageContext {
  readonly texts: Texts;
  readonly isExposed: boolean;
}

/** What a form is shown with. */
export interface FormState {
  /** The secret that proves that the form is ours. */
  readonly formToken: string;
  readonly notice?: FormNotice | undefined;
  readonly status?: number;
  readonly headers?: HttpResponse['headers'];
}

/** What is to be said of the service. */
export interface ServiceFacts {
  readonly title: string;
  readonly scopes: ServiceScopes;
  /** How long access tokens are good. */
  readonly tokenTtlSeconds: number;
  /** The documentation, where readers can start again. */
  readonly docsUrl: string;
}

const noticeId = 'notice';

const noticeOf = (texts: Texts, notice: FormNotice | undefined): Html | undefined =>
  notice && html`<p class="notice" id="${noticeId}" role="alert">${texts.notices[notice]}</p>`;

/** Notices that are about what stands in the fields. */
const fieldNotices: ReadonlySet<FormNotice | undefined> = new Set([
  'wrong-credentials',
  'missing-credentials',
]);

const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const;

/** A duration in words, in the largest unit that tells it exactly enough. */
const durationOf = (language: string, seconds: number): string => {
  const { unit, seconds: each } = units.find((one) => seconds >= one.seconds) ?? {
    unit: 'second',
    seconds: 1,
  };
  const format = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, format).format(seconds / each);
};

/** Makes the pages of one service. */
export const authorizePages = ({
  title: service,
  scopes,
  tokenTtlSeconds,
  docsUrl,
}: ServiceFacts) => {
  const scopeItem = (texts: Texts, scope: string): Html =>
    html`<li><span>${scopes.known.get(scope) ?? texts.undescribedScope}</span> <code>${scope}</code></li>
`;

  const formPage = (
    { texts, isExposed }: PageContext,
    { notice, status = 200, headers = {} }: FormState,
    heading: string,
    content: Html,
    redirectUri: string,
  ): HttpResponse => {
    const title = notice === undefined ? heading : `${texts.errorPrefix}${heading}`;
    return pageResponse({
      ...{ texts, isExposed, service, title, content, status, redirectUri, headers },
    });
  };

  return {
    /** @param username what the user has typed before */
    signIn(
      { client, response }: AuthorizationRequest,
      context: PageContext,
      state: FormState,
      username = '',
    ): HttpResponse {
      const { texts } = context;
      const { formToken, notice } = state;
      const tied = fieldNotices.has(notice)
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
      return formPage(context, state, texts.signInTitle, content, response.redirectUri);
    },

    consent(
      { client, response: { redirectUri }, scopes: asked }: AuthorizationRequest,
      context: PageContext,
      state: FormState,
      username: string,
    ): HttpResponse {
      const { texts } = context;
      const { formToken, notice } = state;
      const duration = durationOf(texts.language, tokenTtlSeconds);
      const content = html`<h1>${texts.consentTitle(client.name)}</h1>
${noticeOf(texts, notice)}
<form method="post">
<input type="hidden" name="form_token" value="${formToken}">
<p id="reason">${texts.consentReason(client.name, service)}</p>
<ul class="scopes" aria-labelledby="reason">
${asked.map((scope) => scopeItem(texts, scope))}</ul>
<p class="facts">${texts.duration(duration)} ${texts.destination} <b>${new URL(redirectUri).host}</b>.</p>
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
      { texts, isExposed }: PageContext,
      status: number,
      headers: HttpResponse['headers'] = {},
    ): HttpResponse {
      const content = html`<h1>${texts.errorTitle}</h1>
<p class="notice" role="alert">${texts.errors[error]}</p>
<p><a href="${docsUrl}">${texts.documentation}</a></p>`;
      const title = texts.errorTitle;
      return pageResponse({ texts, isExposed, service, title, content, status, headers });
    },
  };
};

/** The pages of one service. */
export type AuthorizePages = ReturnType<typeof authorizePages>;
