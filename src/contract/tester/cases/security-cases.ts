/** Requests without the right credential: none of them may succeed. */

import type { SecurityScheme } from '../../../model/document';
import {
  authorization,
  type Credential,
  insufficientCredentials,
  isBasic,
  loginScheme,
  needsCredential,
  type Placement,
  place,
  placementOf,
  requirementsOf,
  sufficientCredentials,
} from '../../../requests/credentials';
import { headerOf } from '../../../requests/http-client';
import { accepting, errorTypes, type OutgoingRequest } from '../../../requests/request-case';
import { type CaseOutcome, isSuccess } from '../checks/check-answer';
import type { Problem, TestRule } from '../rules';
import type { Subject } from '../session/subject';
import type { SecurityKind } from '../test-report';

/** One way to ask without the right credential. */
interface Attempt {
  readonly kind: SecurityKind;
  readonly rule: TestRule;
  readonly description: string;
  readonly credentials: readonly Credential[];
  readonly change?: (request: OutgoingRequest) => OutgoingRequest;
}

const withoutCredential: Attempt = {
  kind: 'none',
  rule: 'authentication-missing',
  description: 'no credential',
  credentials: [],
};

/** Moves a credential to a wrong place: a key between header and query, a token to the name of another scheme. */
const misplaced = (scheme: SecurityScheme | undefined, value: string): Placement => {
  if (scheme?.type !== 'apiKey') {
    return authorization(isBasic(scheme) ? 'Bearer' : 'Basic', value);
  }
  return { in: scheme.in === 'header' ? 'query' : 'header', name: scheme.name, text: value };
};

/** The right credentials of the other schemes that are asked for together with one; none where these would do. */
const besides = ({ operation, credentials: right = [] }: Subject, name: string): Credential[] => {
  const others = right.filter(({ scheme }) => scheme !== name);
  const isAsked = others.length < right.length;
  return isAsked && sufficientCredentials(operation, others).length === 0 ? others : [];
};

const wrongAttempts = (subject: Subject): Attempt[] => {
  const schemes = subject.session.document.securitySchemes;
  const names = new Set(requirementsOf(subject.operation).flatMap((one) => Object.keys(one)));
  return [...names].flatMap((name): Attempt[] => {
    const scheme = schemes.get(name);
    if (scheme === undefined && name !== loginScheme) return [];
    // Wrong in every way that a scheme may look at, and of legal characters.
    const value = isBasic(scheme) ? 'no-such-user:no-such-password' : 'no-such-credential';
    const wrong = { scheme: name, scopes: undefined, value };
    if (placementOf(scheme, value) === undefined) return [];
    const right = subject.credentials?.find((credential) => credential.scheme === name);
    const elsewhere = right && misplaced(scheme, right.value);
    const others = besides(subject, name);
    const attempts: Attempt[] = [
      {
        kind: 'wrong',
        rule: 'wrong-credential-accepted',
        description: `a wrong credential for ${name}`,
        credentials: [...others, wrong],
      },
    ];
    if (others.length > 0) {
      const description = `no credential for ${name}`;
      attempts.unshift({ ...withoutCredential, description, credentials: others });
    }
    if (elsewhere !== undefined) {
      attempts.push({
        kind: 'wrong-place',
        rule: 'misplaced-credential-accepted',
        description: `the credential for ${name} in the ${elsewhere.in} as ${elsewhere.name}`,
        credentials: others,
        change: (request) => place(request, [elsewhere]),
      });
    }
    return attempts;
  });
};

/** Credentials that are good, for something else; one of each scheme. */
const foreignAttempts = ({ operation, credentials = [], session }: Subject): Attempt[] => {
  const asked = new Set(requirementsOf(operation).flatMap((one) => Object.keys(one)));
  const right = new Set(credentials.map(({ value }) => value));
  const others = session.options.credentials.filter(
    ({ scheme, value }) => !asked.has(scheme) && !right.has(value),
  );
  const byScheme = new Map(others.toReversed().map((one) => [one.scheme, one]));
  return [...byScheme.values()].map((credential) => ({
    kind: 'wrong',
    rule: 'wrong-credential-accepted',
    description: `a credential for ${credential.scheme}, which is not asked for`,
    credentials: [credential],
  }));
};

const attemptsOf = (subject: Subject): Attempt[] => [
  withoutCredential,
  ...wrongAttempts(subject),
  ...foreignAttempts(subject),
  ...insufficientCredentials(subject.operation, subject.session.options.credentials).map(
    (credential): Attempt => ({
      kind: 'too-few-scopes',
      rule: 'scope-ignored',
      description: `a credential for ${credential.scheme} with the scopes ${credential.scopes?.join(' ') || '(none)'} alone`,
      credentials: [...besides(subject, credential.scheme), credential],
    }),
  ),
];

const securityProblems = (attempt: Attempt, outcome: CaseOutcome): Problem[] => {
  const { answer } = outcome.sent;
  if (isSuccess(outcome)) {
    const seen = String(outcome.checked.status);
    return [{ rule: attempt.rule, place: attempt.description, expected: '401 or 403', seen }];
  }
  const isSilent = answer?.status === 401 && headerOf(answer, 'www-authenticate') === undefined;
  if (!isSilent) return [];
  const expected = 'the header WWW-Authenticate with 401';
  return [{ rule: 'challenge-missing', expected, seen: 'no such header' }];
};

/** Asks without credentials, with wrong ones, with misplaced ones, and with such that lack a scope. */
export const testSecurity = async (subject: Subject): Promise<void> => {
  const { operation, session, coverage, credentials: right = [] } = subject;
  if (right.length > 0 && coverage.works) coverage.recordSecurity('right');
  if (!needsCredential(operation)) return;
  for (const attempt of attemptsOf(subject)) {
    const { credentials, change = (request) => request, kind, description } = attempt;
    for (const accept of [undefined, ...errorTypes(operation)]) {
      if (session.isOver) return;
      const outcome = await subject.sendValid({
        intent: 'unauthorized',
        credentials,
        change: (request) => change(accepting(accept)(request)),
      });
      if (outcome === undefined) continue;
      coverage.recordSecurity(kind);
      subject.report(outcome, description, securityProblems(attempt, outcome), { kind });
    }
  }
};
