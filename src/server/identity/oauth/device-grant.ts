/** The device authorization grant (RFC 8628): codes for devices, the page on which users decide, and the tokens that devices poll for. */

import { randomInt } from 'node:crypto';
import { HttpError } from '../../../http/http-error';
import type { HttpResponse } from '../../../http/send';
import type { DeviceCodeStorage, DeviceRequest } from '../../../storage/identity/device-codes';
import { pollSeconds } from '../../../storage/identity/device-codes';
import type { EventCountStorage } from '../../../storage/identity/event-counts';
import { networkOf } from '../../http/network-of';
import { attemptLimiter, guessLimits, networkLimit } from '../attempt-limit';
import { digest, newSecret } from '../token';
import { type PageParts, pagesEndpoint, type Visit } from './authorization-endpoint';
import { requestedScopes, type ServiceScopes, scopesProblem } from './authorization-request';
import type { CheckClient, FindClient } from './clients';
import {
  type Endpoint,
  errorResponse,
  formEndpoint,
  jsonResponse,
  type Parameters,
  readParameters,
} from './endpoint';
import type { Grants } from './grants';
import type { FormAnswer } from './pages';

/** The grant type of device codes (RFC 8628 section 3.4). */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';

/** The lifetime of both codes. */
const codeSeconds = 600;

// RFC 8628 section 6.1: no vowels, which would make words, and no digits, which are mistaken for letters.
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

/** Reads a user code as people type it: in any case, with anything between the letters. */
const readUserCode = (text: string): string | undefined => {
  const typed = [...text.toUpperCase()].filter((letter) => letters.includes(letter)).join('');
  return typed.length === 8 ? `${typed.slice(0, 4)}-${typed.slice(4)}` : undefined;
};

const newUserCode = (): string => {
  const code = Array.from({ length: 8 }, () => letters.charAt(randomInt(letters.length))).join('');
  return readUserCode(code) ?? newUserCode();
};

/** The sentences about devices that have no token yet, for the developers of their clients. */
const pollErrors = {
  authorization_pending: 'The user has not decided yet',
  slow_down: `Wait ${pollSeconds} seconds longer between requests from now on`,
  access_denied: 'The user has denied access',
  expired_token: 'The device_code has expired',
  invalid_grant: 'The device_code is unknown or used, or it is not for this client',
} as const;

interface DeviceParts extends PageParts {
  /** The address of the page. */
  readonly pageUrl: string;
  readonly service: string;
  readonly codes: DeviceCodeStorage;
  readonly counts: EventCountStorage;
  readonly findClient: FindClient;
  readonly checkClient: CheckClient;
  readonly scopes: ServiceScopes;
  readonly grants: Grants;
  /** Gives milliseconds since 1970. */
  readonly clock: () => number;
}

/** Issues codes to devices (RFC 8628 section 3.1); how many a network gets is bounded, because each takes a row. */
const codeEndpoint = (parts: DeviceParts): Endpoint => {
  const { service, counts, codes, scopes, checkClient, pageUrl, clock } = parts;
  const limitRequests = attemptLimiter({
    ...{ service, counts, clock, kind: 'device' },
    refusal: 'Too many devices have asked for codes; try again later.',
  });

  /** Issues a device code and a user code; another pair where the user code is in use. */
  const issue = async (request: DeviceRequest): Promise<readonly [string, string]> => {
    const [deviceCode, userCode] = [newSecret(), newUserCode()];
    const hashes = { hash: digest(deviceCode), userCodeHash: digest(userCode) };
    const now = clock();
    const isFree = await codes.add({ ...request, ...hashes }, now, now + codeSeconds * 1000);
    return isFree ? [deviceCode, userCode] : issue(request);
  };

  const known = ['client_id', 'client_secret', 'scope'];
  return formEndpoint(known, async (parameters, request) => {
    const checked = await checkClient(parameters, request);
    if ('refusal' in checked) return checked.refusal;
    const { clientId, flows } = checked.client;
    if (flows !== undefined && !flows.includes('device')) {
      return errorResponse('unauthorized_client', 'The client may not use this grant');
    }
    const granted = requestedScopes(parameters.get('scope'), scopes);
    if (granted === undefined) return errorResponse('invalid_scope', scopesProblem(scopes));
    await limitRequests([networkLimit(networkOf(request.address))]).count();
    const [deviceCode, userCode] = await issue({ clientId, scopes: granted });
    return jsonResponse(200, {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: pageUrl,
      verification_uri_complete: `${pageUrl}?user_code=${userCode}`,
      expires_in: codeSeconds,
      interval: pollSeconds,
    });
  });
};

/** Makes the page on which users enter the code of a device, or confirm it, and decide (RFC 8628 section 3.3). */
const devicePage = (parts: DeviceParts): Endpoint => {
  const { service, codes, counts, findClient, pages, clock } = parts;
  const limitGuesses = attemptLimiter({
    ...{ service, counts, clock, kind: 'user-code' },
    refusal: 'Too many wrong codes; try again later.',
  });
  /** What the user has typed, if anything. */
  type DeviceVisit = Visit<string | undefined>;

  const find = async (text: string) => {
    const userCode = readUserCode(text);
    const found = userCode && (await codes.find(digest(userCode), clock()));
    const client = found ? await findClient(found.clientId) : undefined;
    if (!userCode || !found || client === undefined) return undefined;
    return { client: client.name, scopes: found.scopes, userCode };
  };

  /** Finds what was typed, within the bounds on guesses. */
  const guess = async (text: string, userKey: string, address: string) => {
    const guesses = limitGuesses(guessLimits(userKey, networkOf(address)));
    await guesses.check();
    const found = await find(text);
    // Concurrent guesses all pass the first check.
    await (found === undefined ? guesses.count() : guesses.check());
    return found;
  };

  type Found = Exclude<Awaited<ReturnType<typeof find>>, undefined>;

  /** Responds to a code that is good, or asks for another one. */
  const respond = async (
    visit: DeviceVisit,
    userKey: string,
    respondTo: (found: Found) => HttpResponse | Promise<HttpResponse | undefined>,
  ): Promise<HttpResponse> => {
    const ask = (answer: FormAnswer) => pages.enterCode(visit.context, answer, visit.asked);
    if (visit.asked === undefined) return ask({});
    try {
      const found = await guess(visit.asked, userKey, visit.http.address);
      const response = found && (await respondTo(found));
      return response ?? ask({ notice: 'wrong-code', status: 400 });
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 429) throw error;
      return ask({ notice: 'too-many-codes', status: 429, headers: error.headers });
    }
  };

  const decide = (visit: DeviceVisit, userKey: string, isAllowed: boolean) =>
    respond(visit, userKey, async ({ userCode }) => {
      const by = isAllowed ? userKey : undefined;
      const isDone = await codes.decide(digest(userCode), clock(), by);
      return isDone ? pages.outcome(isAllowed ? 'allowed' : 'denied', visit.context) : undefined;
    });

  return pagesEndpoint<string | undefined>(parts, {
    async read({ query }, context) {
      const parameters = readParameters(query);
      return parameters === undefined
        ? pages.error('malformed', context, 400)
        : { asked: parameters.get('user_code') };
    },
    askerOf: () => ({}),
    show: (visit, { userKey, username }, state) =>
      respond(visit, userKey, (found) => pages.consent(found, visit.context, state, username)),
    allow: (visit, { userKey }) => decide(visit, userKey, true),
    async refuse(visit) {
      const { signedIn } = visit.session;
      if (signedIn === undefined) return pages.outcome('denied', visit.context);
      return decide(visit, signedIn.userKey, false);
    },
  });
};

/** Exchanges device codes that users have allowed for access tokens (RFC 8628 sections 3.4 and 3.5). */
const exchangeDeviceCode =
  ({ codes, grants, clock }: DeviceParts) =>
  async (clientId: string, parameters: Parameters): Promise<HttpResponse> => {
    const code = parameters.get('device_code');
    if (code === undefined) return errorResponse('invalid_request', 'device_code is missing');
    // The transaction may run more than once, so the token is made before it.
    const { stored, response } = grants.newToken({ userKey: '', scopes: [], client: clientId });
    const polled = await codes.poll(digest(code), clientId, clock(), (grant) => ({
      ...stored,
      ...grant,
    }));
    return typeof polled === 'string'
      ? errorResponse(polled, pollErrors[polled])
      : jsonResponse(200, { ...response, scope: polled.scopes.join(' ') });
  };

/** Makes the endpoints of the grant, and the function that the token endpoint exchanges its codes by. */
export const deviceGrant = (parts: DeviceParts) => ({
  deviceAuthorization: codeEndpoint(parts),
  device: devicePage(parts),
  exchange: exchangeDeviceCode(parts),
});
