/** The authorization endpoint (RFC 6749 section 3.1): shows the pages, and takes the forms that users send. */

import { HttpError } from '../../../http/http-error';
import type { HttpResponse } from '../../../http/send';
import type { CheckPassword } from '../password-check';
import { equalTexts } from '../token';
import {
  type AuthorizationRequest,
  authorizationError,
  authorizationResponse,
  readAuthorizationRequest,
  type ServiceScopes,
  seeOther,
} from './authorization-request';
import {
  type BrowserSession,
  type BrowserSessions,
  csrfToken,
  isCrossSite,
  type SignedIn,
} from './browser-sessions';
import type { FindClient } from './clients';
import { type Endpoint, type EndpointRequest, type Parameters, readParameters } from './endpoint';
import type { Grants } from './grants';
import type { Asker, AuthorizePages, FormAnswer, FormState, PageContext } from './pages';

/** The parts that the pages of all flows share. */
export interface PageParts {
  readonly pages: AuthorizePages;
  readonly sessions: BrowserSessions;
  readonly checkPassword: CheckPassword;
  readonly contextOf: (request: EndpointRequest) => PageContext;
}

/** One request, with what it asks the user for and the session of its browser. */
export interface Visit<Asked> {
  readonly http: EndpointRequest;
  readonly asked: Asked;
  readonly session: BrowserSession;
  readonly context: PageContext;
}

/** The parts in which the pages of one flow differ from those of another. */
interface Flow<Asked> {
  /** Reads what a request asks for, or responds to one that can be shown to nobody. */
  read(
    http: EndpointRequest,
    context: PageContext,
  ): Promise<{ readonly asked: Asked } | HttpResponse>;
  /** Finds who asks, where that may be shown before anybody has signed in. */
  askerOf(asked: Asked): Asker;
  /** Makes the page on which the user decides. */
  show(visit: Visit<Asked>, user: SignedIn, state: FormState): Promise<HttpResponse>;
  /** Grants what was asked for; undefined where the user was deleted. */
  allow(visit: Visit<Asked>, user: SignedIn): Promise<HttpResponse | undefined>;
  /** Takes the refusal, which needs no user. */
  refuse(visit: Visit<Asked>): Promise<HttpResponse>;
}

/** Makes the endpoint of the pages on which users sign in, and allow or deny what a flow asks for. */
export const pagesEndpoint = <Asked>(parts: PageParts, flow: Flow<Asked>): Endpoint => {
  const { pages, sessions, checkPassword, contextOf } = parts;
  type OneVisit = Visit<Asked>;

  const signInPage = (
    visit: OneVisit,
    options: FormAnswer = {},
    username?: string,
  ): HttpResponse => {
    const { http, asked, session, context } = visit;
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
    return pages.signIn(flow.askerOf(asked), context, state, username);
  };

  /** Shows the consent page each time: a signed-in user need not want this (RFC 9700 section 4.1.3). */
  const show = async (visit: OneVisit, options: FormAnswer = {}): Promise<HttpResponse> => {
    const { signedIn } = visit.session;
    if (signedIn === undefined) return signInPage(visit, options);
    const formToken = csrfToken('consent', signedIn.secret, visit.http.query);
    return flow.show(visit, signedIn, { ...options, formToken });
  };

  const signIn = async (visit: OneVisit, form: Parameters): Promise<HttpResponse> => {
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

  /** Shows the form again after too many attempts or under too much load. */
  const signInLater = (visit: OneVisit, form: Parameters, error: unknown): HttpResponse => {
    if (!(error instanceof HttpError) || ![429, 503].includes(error.status)) throw error;
    const notice = error.status === 429 ? 'too-many-attempts' : 'busy';
    const { status, headers } = error;
    return signInPage(visit, { notice, status, headers }, form.get('username'));
  };

  const sessionEnded = (visit: OneVisit): HttpResponse => {
    const signedOut = { ...visit, session: { ...visit.session, signedIn: undefined } };
    return signInPage(signedOut, { notice: 'session-ended', status: 403 });
  };

  const switchUser = async (visit: OneVisit): Promise<HttpResponse> => {
    await sessions.endSession(visit.session);
    return signInPage(visit, { headers: { 'Set-Cookie': [sessions.endedSession] } });
  };

  /** Tells whether the form carries the token that its page was given. */
  const isOwnForm = (
    { http }: OneVisit,
    form: Parameters,
    purpose: string,
    secret: string | undefined,
  ): boolean =>
    secret !== undefined &&
    equalTexts(form.get('form_token') ?? '', csrfToken(purpose, secret, http.query));

  const staleForm = (visit: OneVisit): Promise<HttpResponse> =>
    show(visit, { notice: 'stale-form', status: 403 });

  const takeSignIn = async (visit: OneVisit, form: Parameters): Promise<HttpResponse> => {
    if (!isOwnForm(visit, form, 'sign-in', visit.session.formSecret)) return staleForm(visit);
    if (form.get('action') === 'cancel') return flow.refuse(visit);
    return signIn(visit, form).catch((error: unknown) => signInLater(visit, form, error));
  };

  const takeConsent = async (visit: OneVisit, form: Parameters): Promise<HttpResponse> => {
    const { signedIn } = visit.session;
    if (signedIn === undefined) return sessionEnded(visit);
    if (!isOwnForm(visit, form, 'consent', signedIn.secret)) return staleForm(visit);
    if (form.get('action') === 'switch') return switchUser(visit);
    if (form.get('action') !== 'allow') return flow.refuse(visit);
    return (await flow.allow(visit, signedIn)) ?? sessionEnded(visit);
  };

  const formsOfActions = new Map<string | undefined, typeof takeSignIn>([
    ['sign-in', takeSignIn],
    ['cancel', takeSignIn],
    ['allow', takeConsent],
    ['deny', takeConsent],
    ['switch', takeConsent],
  ]);

  const takeForm = async (visit: OneVisit): Promise<HttpResponse> => {
    const { http, context } = visit;
    if (isCrossSite(http)) return pages.error('foreign-form', context, 403);
    const form = http.form === undefined ? undefined : readParameters(http.form);
    const take = formsOfActions.get(form?.get('action'));
    return form === undefined || take === undefined
      ? pages.error('malformed-form', context, 400)
      : take(visit, form);
  };

  return async (http) => {
    const context = contextOf(http);
    const read = await flow.read(http, context);
    if (!('asked' in read)) return read;
    const session = await sessions.read(http);
    const visit = { http, asked: read.asked, session, context };
    return http.method === 'POST' ? takeForm(visit) : show(visit);
  };
};

const askerOf = ({ client, response }: AuthorizationRequest) => ({
  client: client.name,
  redirectUri: response.redirectUri,
});

/** Makes the authorization endpoint (RFC 6749 section 3.1). */
export const authorizationEndpoint = (
  parts: PageParts & {
    readonly issuer: string;
    readonly findClient: FindClient;
    readonly scopes: ServiceScopes;
    readonly grants: Grants;
  },
): Endpoint => {
  const { issuer, findClient, scopes, pages, grants } = parts;
  const respond = (
    { asked }: Visit<AuthorizationRequest>,
    outcome: Readonly<Record<string, string>>,
  ) => authorizationResponse(asked.response, issuer, outcome);
  return pagesEndpoint<AuthorizationRequest>(parts, {
    async read({ query }, context) {
      const read = await readAuthorizationRequest(query, findClient, scopes);
      if (read.kind === 'request') return { asked: read.request };
      if (read.kind === 'unsafe') return pages.error(read.reason, context, 400);
      return authorizationResponse(read.response, issuer, read.error);
    },
    askerOf,
    show: async ({ asked, context }, user, state) =>
      pages.consent({ ...askerOf(asked), scopes: asked.scopes }, context, state, user.username),
    async allow(visit, { userKey }) {
      const granted = await grants.issue(visit.asked, userKey);
      return granted && respond(visit, granted);
    },
    refuse: async (visit) =>
      respond(visit, authorizationError('access_denied', 'The user has denied access')),
  });
};
