/** The endpoints for users: they show the pages of the flows, and take the forms that users send. */

import { HttpError } from '../../http/http-error';
import type { HttpResponse } from '../../http/send';
import { equalTexts } from '../token';
import {
  authorizationError,
  authorizationResponse,
  readAuthorizationRequest,
  seeOther,
} from './authorization-request';
import { type BrowserSession, csrfToken, isCrossSite } from './browser-sessions';
import {
  type Endpoint,
  type EndpointRequest,
  type Parameters,
  readFormParameters,
} from './endpoint';
import type { OAuthParts } from './grants';
import { type AccessRequest, contextOf, type FormState, type PageContext } from './pages';

interface Visit {
  readonly http: EndpointRequest;
  readonly request: AccessRequest;
  readonly session: BrowserSession;
  readonly context: PageContext;
}

/** Makes the authorization endpoint (RFC 6749 section 3.1). */
export const authorizationEndpoint = (parts: OAuthParts): Endpoint => {
  const { pages, sessions, checkPassword } = parts;

  const signInPage = (
    visit: Visit,
    options: Partial<FormState> = {},
    username?: string,
  ): HttpResponse => {
    const { http, request, session, context } = visit;
    const { secret, cookie } =
      session.formSecret === undefined
        ? sessions.startForms(http.secure)
        : { secret: session.formSecret, cookie: undefined };
    const { 'Set-Cookie': more = [], ...headers } = options.headers ?? {};
    const cookies = [...more, ...(cookie === undefined ? [] : [cookie])];
    const state: FormState = {
      ...options,
      formToken: csrfToken('sign-in', secret, http.query),
      headers: { ...headers, ...(cookies.length > 0 && { 'Set-Cookie': cookies }) },
    };
    return pages.signIn(request, context, state, username);
  };

  /** Shows the consent page each time: a signed-in user need not want this (RFC 9700 section 4.1.3). */
  const show = (visit: Visit, options: Partial<FormState> = {}): HttpResponse => {
    const { http, request, session, context } = visit;
    const { signedIn } = session;
    if (signedIn === undefined) return signInPage(visit, options);
    const formToken = csrfToken('consent', signedIn.secret, http.query);
    return pages.consent(request, context, { ...options, formToken }, signedIn.username);
  };

  const signIn = async (visit: Visit, form: Parameters): Promise<HttpResponse> => {
    const { http, session } = visit;
    const [username = '', password = ''] = [form.get('username'), form.get('password')];
    if (username === '' || password === '') {
      return signInPage(visit, { notice: 'missing-credentials', status: 400 }, username);
    }
    const account = await checkPassword(username, password, http);
    const cookie = account && (await sessions.startSession(account.key, http.secure));
    if (cookie === undefined) {
      return signInPage(visit, { notice: 'wrong-credentials', status: 400 }, username);
    }
    await sessions.endSession(session);
    // The redirect keeps a reload from sending the password again.
    return seeOther(`?${http.query}`, [cookie]);
  };

  const sessionEnded = (visit: Visit): HttpResponse => {
    const signedOut = { ...visit, session: { ...visit.session, signedIn: undefined } };
    return signInPage(signedOut, { notice: 'session-ended', status: 403 });
  };

  /** Tells whether the form carries the token that its page was given. */
  const isOwnForm = (
    { http }: Visit,
    form: Parameters,
    purpose: string,
    secret: string | undefined,
  ): boolean =>
    secret !== undefined &&
    equalTexts(form.get('form_token') ?? '', csrfToken(purpose, secret, http.query));

  const staleForm = (visit: Visit): HttpResponse =>
    show(visit, { notice: 'stale-form', status: 403 });

  const takeSignIn = async (visit: Visit, form: Parameters): Promise<HttpResponse> => {
    if (!isOwnForm(visit, form, 'sign-in', visit.session.formSecret)) return staleForm(visit);
    if (form.get('action') === 'cancel') return visit.request.deny();
    return signIn(visit, form).catch((error: unknown) => {
      if (!(error instanceof HttpError) || ![429, 503].includes(error.status)) throw error;
      const notice = error.status === 429 ? 'too-many-attempts' : 'busy';
      const { status, headers } = error;
      return signInPage(visit, { notice, status, headers }, form.get('username'));
    });
  };

  const takeConsent = async (visit: Visit, form: Parameters): Promise<HttpResponse> => {
    const { signedIn } = visit.session;
    if (signedIn === undefined) return sessionEnded(visit);
    if (!isOwnForm(visit, form, 'consent', signedIn.secret)) return staleForm(visit);
    if (form.get('action') === 'switch') {
      await sessions.endSession(visit.session);
      return signInPage(visit, { headers: { 'Set-Cookie': [sessions.endedSession] } });
    }
    if (form.get('action') !== 'allow') return visit.request.deny();
    return (await visit.request.allow(signedIn.userKey)) ?? sessionEnded(visit);
  };

  const formsOfActions = new Map<string | undefined, typeof takeSignIn>([
    ['sign-in', takeSignIn],
    ['cancel', takeSignIn],
    ['allow', takeConsent],
    ['deny', takeConsent],
    ['switch', takeConsent],
  ]);

  const takeForm = async (visit: Visit): Promise<HttpResponse> => {
    const { http, context } = visit;
    if (isCrossSite(http)) return pages.error('foreign-form', context, 403);
    const form = http.form === undefined ? undefined : readFormParameters(http.form);
    const take = formsOfActions.get(form?.get('action'));
    return form === undefined || take === undefined
      ? pages.error('malformed-form', context, 400)
      : take(visit, form);
  };

  return async (http) => {
    const context = contextOf(http);
    const asked = await readAuthorizationRequest(http.query, parts);
    if (typeof asked === 'string') return pages.error(asked, context, 400);
    const { response } = asked;
    const respond = (outcome: Readonly<Record<string, string>>): HttpResponse =>
      authorizationResponse(response, parts.issuer, outcome);
    if ('error' in asked) return respond(asked.error);
    const request: AccessRequest = {
      ...asked,
      redirectUri: response.redirectUri,
      async allow(userKey) {
        const granted = await parts.grants.issue(asked, userKey);
        return granted && respond(granted);
      },
      deny: async () => respond(authorizationError('access_denied', 'The user has denied access')),
    };
    const visit = { http, request, session: await sessions.read(http), context };
    return http.method === 'POST' ? takeForm(visit) : show(visit);
  };
};
