/** The authorization endpoint (RFC 6749 section 3.1): shows the pages, and takes what users answer on them. */

import { type Answer, HttpError } from '../../engine';
import type { CheckPassword } from '../identity/password-check';
import { formToken, isForeignForm, isFormToken } from './form-guard';
import type { Grants } from './grants';
import type { AuthorizePages, FormState, PageContext } from './pages/pages';
import { type AuthorizeReplies, seeOther } from './protocol/authorize-reply';
import {
  type AuthorizeRequest,
  type AuthorizeRules,
  readAuthorizeRequest,
} from './protocol/authorize-request';
import type { Endpoint, EndpointRequest } from './protocol/endpoint';
import { type Parameters, readParameters } from './protocol/parameters';
import type { Visitor, Visitors } from './visitors';

/** What the endpoint works with. */
export interface AuthorizeParts extends AuthorizeRules {
  readonly pages: AuthorizePages;
  readonly replies: AuthorizeReplies;
  readonly visitors: Visitors;
  readonly grants: Grants;
  readonly checkPassword: CheckPassword;
  readonly contextOf: (request: EndpointRequest) => PageContext;
}

/** One request, with all that is known of it. */
interface Visit {
  readonly http: EndpointRequest;
  readonly request: AuthorizeRequest;
  readonly visitor: Visitor;
  readonly context: PageContext;
}

type FormOptions = Pick<FormState, 'notice' | 'status' | 'headers'>;

/** Makes the endpoint. */
export const authorizeEndpoint = (parts: AuthorizeParts): Endpoint => {
  const { pages, replies, visitors, grants, checkPassword, contextOf } = parts;

  const signInPage = (visit: Visit, options: FormOptions = {}, username?: string): Answer => {
    const { http, request, visitor, context } = visit;
    const { secret, cookie } =
      visitor.formSecret === undefined
        ? visitors.startForms(http.secure)
        : { secret: visitor.formSecret, cookie: undefined };
    const token = formToken('sign-in', secret, http.query);
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
  const show = (visit: Visit, options: FormOptions = {}): Answer => {
    const { http, request, visitor, context } = visit;
    const { signedIn } = visitor;
    if (signedIn === undefined) return signInPage(visit, options);
    const token = formToken('consent', signedIn.secret, http.query);
    return pages.consent(request, context, { ...options, formToken: token }, signedIn.username);
  };

  const signIn = async (visit: Visit, form: Parameters): Promise<Answer> => {
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
  const signInLater = (visit: Visit, form: Parameters, error: unknown): Answer => {
    if (!(error instanceof HttpError) || ![429, 503].includes(error.status)) throw error;
    const notice = error.status === 429 ? 'too-many-attempts' : 'busy';
    const { status, headers } = error;
    return signInPage(visit, { notice, status, headers }, form.get('username'));
  };

  const refuse = ({ request: { reply } }: Visit): Answer =>
    replies.refused(reply, { code: 'access_denied', description: 'The user said no' });

  const ended = (visit: Visit): Answer =>
    signInPage(
      { ...visit, visitor: { ...visit.visitor, signedIn: undefined } },
      {
        notice: 'session-ended',
        status: 403,
      },
    );

  const allow = async (visit: Visit): Promise<Answer> => {
    const { request, visitor } = visit;
    const granted = visitor.signedIn && (await grants.issue(request, visitor.signedIn.userKey));
    return granted === undefined ? ended(visit) : replies.granted(request.reply, granted);
  };

  const switchUser = async (visit: Visit): Promise<Answer> => {
    await visitors.endSession(visit.visitor);
    return signInPage(visit, { headers: { 'Set-Cookie': [visitors.endedSession] } });
  };

  const stale = (visit: Visit): Answer => show(visit, { notice: 'stale-form', status: 403 });

  /** The answers of the sign-in page. */
  const answerSignIn = async (visit: Visit, form: Parameters): Promise<Answer> => {
    const { formSecret } = visit.visitor;
    const wanted = formSecret && formToken('sign-in', formSecret, visit.http.query);
    if (!wanted || !isFormToken(form.get('form_token'), wanted)) return stale(visit);
    if (form.get('action') === 'cancel') return refuse(visit);
    return signIn(visit, form).catch((error: unknown) => signInLater(visit, form, error));
  };

  /** The answers of the consent page. */
  const answerConsent = async (visit: Visit, form: Parameters): Promise<Answer> => {
    const { signedIn } = visit.visitor;
    if (signedIn === undefined) return ended(visit);
    const wanted = formToken('consent', signedIn.secret, visit.http.query);
    if (!isFormToken(form.get('form_token'), wanted)) return stale(visit);
    if (form.get('action') === 'switch') return switchUser(visit);
    return form.get('action') === 'allow' ? allow(visit) : refuse(visit);
  };

  const answers = new Map<string | undefined, typeof answerSignIn>([
    ['sign-in', answerSignIn],
    ['cancel', answerSignIn],
    ['allow', answerConsent],
    ['deny', answerConsent],
    ['switch', answerConsent],
  ]);

  const takeForm = async (visit: Visit): Promise<Answer> => {
    const { http, context } = visit;
    if (isForeignForm(http)) return pages.fault('foreign-form', context, 403);
    const form = http.form === undefined ? undefined : readParameters(http.form);
    const answer = answers.get(form?.get('action'));
    return form === undefined || answer === undefined
      ? pages.fault('malformed-form', context, 400)
      : answer(visit, form);
  };

  return async (http) => {
    const context = contextOf(http);
    const read = await readAuthorizeRequest(http.query, parts);
    if (read.kind === 'unsafe') return pages.fault(read.reason, context, 400);
    if (read.kind === 'faulty') return replies.refused(read.reply, read.error);
    const visitor = await visitors.read(http);
    const visit = { http, request: read.request, visitor, context };
    return http.method === 'POST' ? takeForm(visit) : show(visit);
  };
};
