/** The authorization endpoint (RFC 6749 section 3.1): shows the pages, and takes the forms that users send. */

import { HttpError, type HttpResponse } from '../../engine';
import type { CheckPassword } from '../identity/password-check';
import {
  type BrowserSession,
  type BrowserSessions,
  csrfToken,
  isCrossSite,
  isCsrfToken,
} from './browser-sessions';
import type { Grants } from './grants';
import type { AuthorizePages, FormState, PageContext } from './pages/pages';
import {
  type AuthorizationRequest,
  type AuthorizationRules,
  readAuthorizationRequest,
} from './protocol/authorization-request';
import { type AuthorizationResponses, seeOther } from './protocol/authorization-response';
import {
  type Endpoint,
  type EndpointRequest,
  type Parameters,
  readParameters,
} from './protocol/endpoint';

/** What the endpoint works with. */
export interface AuthorizeParts extends AuthorizationRules {
  readonly pages: AuthorizePages;
  readonly responses: AuthorizationResponses;
  readonly visitors: BrowserSessions;
  readonly grants: Grants;
  readonly checkPassword: CheckPassword;
  readonly contextOf: (request: EndpointRequest) => PageContext;
}

/** One request, with all that is known of it. */
interface Visit {
  readonly http: EndpointRequest;
  readonly request: AuthorizationRequest;
  readonly visitor: BrowserSession;
  readonly context: PageContext;
}

type FormOptions = Pick<FormState, 'notice' | 'status' | 'headers'>;

/** Makes the endpoint. */
export const authorizeEndpoint = (parts: AuthorizeParts): Endpoint => {
  const { pages, responses, visitors, grants, checkPassword, contextOf } = parts;

  const signInPage = (visit: Visit, options: FormOptions = {}, username?: string): HttpResponse => {
    const { http, request, visitor, context } = visit;
    const { secret, cookie } =
      visitor.formSecret === undefined
        ? visitors.startForms(http.secure)
        : { secret: visitor.formSecret, cookie: undefined };
    const token = csrfToken('sign-in', secret, http.query);
    const { 'Set-Cookie': more = [], ...headers } = options.headers ?? {};
    const cookies = [...more, ...(cookie === undefined ? [] : [cookie])];
    const state: FormState = {
      ...options,
      formToken: token,
      headers: { ...headers, ...(cookies.length > 0 && { 'Set-Cookie': cookies }) },
    };
    return pages.signIn(request, context, state, username);
  };

  /** Consent is asked each time: whoever is signed in need not want this (RFC 9700 section 4.1.3). */
  const show = (visit: Visit, options: FormOptions = {}): HttpResponse => {
    const { http, request, visitor, context } = visit;
    const { signedIn } = visitor;
    if (signedIn === undefined) return signInPage(visit, options);
    const token = csrfToken('consent', signedIn.secret, http.query);
    return pages.consent(request, context, { ...options, formToken: token }, signedIn.username);
  };

  const signIn = async (visit: Visit, form: Parameters): Promise<HttpResponse> => {
    const { http, visitor } = visit;
    const [username = '', password = ''] = [form.get('username'), form.get('password')];
    if (username === '' || password === '') {
      return signInPage(visit, { notice: 'missing-credentials', status: 400 }, username);
    }
    const account = await checkPassword(username, password, http);
    const cookie = account && (await visitors.startSession(account.key, http.secure));
    if (cookie === undefined) {
      return signInPage(visit, { notice: 'wrong-credentials', status: 400 }, username);
    }
    await visitors.endSession(visitor);
    // A page of its own, so that reloading it sends no password again.
    return seeOther(`?${http.query}`, [cookie]);
  };

  /** Too many guesses or too much load: the form stays, for later. */
  const signInLater = (visit: Visit, form: Parameters, error: unknown): HttpResponse => {
    if (!(error instanceof HttpError) || ![429, 503].includes(error.status)) throw error;
    const notice = error.status === 429 ? 'too-many-attempts' : 'busy';
    const { status, headers } = error;
    return signInPage(visit, { notice, status, headers }, form.get('username'));
  };

  const refuse = ({ request: { response } }: Visit): HttpResponse =>
    responses.refused(response, { code: 'access_denied', description: 'The user said no' });

  const ended = (visit: Visit): HttpResponse =>
    signInPage(
      { ...visit, visitor: { ...visit.visitor, signedIn: undefined } },
      {
        notice: 'session-ended',
        status: 403,
      },
    );

  const allow = async (visit: Visit): Promise<HttpResponse> => {
    const { request, visitor } = visit;
    const granted = visitor.signedIn && (await grants.issue(request, visitor.signedIn.userKey));
    return granted === undefined ? ended(visit) : responses.granted(request.response, granted);
  };

  const switchUser = async (visit: Visit): Promise<HttpResponse> => {
    await visitors.endSession(visit.visitor);
    return signInPage(visit, { headers: { 'Set-Cookie': [visitors.endedSession] } });
  };

  const stale = (visit: Visit): HttpResponse => show(visit, { notice: 'stale-form', status: 403 });

  /** Takes the form of the sign-in page. */
  const takeSignIn = async (visit: Visit, form: Parameters): Promise<HttpResponse> => {
    const { formSecret } = visit.visitor;
    const wanted = formSecret && csrfToken('sign-in', formSecret, visit.http.query);
    if (!wanted || !isCsrfToken(form.get('form_token'), wanted)) return stale(visit);
    if (form.get('action') === 'cancel') return refuse(visit);
    return signIn(visit, form).catch((error: unknown) => signInLater(visit, form, error));
  };

  /** Takes the form of the consent page. */
  const takeConsent = async (visit: Visit, form: Parameters): Promise<HttpResponse> => {
    const { signedIn } = visit.visitor;
    if (signedIn === undefined) return ended(visit);
    const wanted = csrfToken('consent', signedIn.secret, visit.http.query);
    if (!isCsrfToken(form.get('form_token'), wanted)) return stale(visit);
    if (form.get('action') === 'switch') return switchUser(visit);
    return form.get('action') === 'allow' ? allow(visit) : refuse(visit);
  };

  const actions = new Map<string | undefined, typeof takeSignIn>([
    ['sign-in', takeSignIn],
    ['cancel', takeSignIn],
    ['allow', takeConsent],
    ['deny', takeConsent],
    ['switch', takeConsent],
  ]);

  const takeForm = async (visit: Visit): Promise<HttpResponse> => {
    const { http, context } = visit;
    if (isCrossSite(http)) return pages.error('foreign-form', context, 403);
    const form = http.form === undefined ? undefined : readParameters(http.form);
    const take = actions.get(form?.get('action'));
    return form === undefined || take === undefined
      ? pages.error('malformed-form', context, 400)
      : take(visit, form);
  };

  return async (http) => {
    const context = contextOf(http);
    const read = await readAuthorizationRequest(http.query, parts);
    if (read.kind === 'unsafe') return pages.error(read.reason, context, 400);
    if (read.kind === 'invalid') return responses.refused(read.response, read.error);
    const visitor = await visitors.read(http);
    const visit = { http, request: read.request, visitor, context };
    return http.method === 'POST' ? takeForm(visit) : show(visit);
  };
};
