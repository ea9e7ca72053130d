/** The device authorization grant (RFC 8628): codes for devices, the page on which users decide, and the tokens that devices poll for. */

import { randomInt } from 'node:crypto';
import { networkOf } from '../../http/caller';
import type { HttpResponse } from '../../http/send';
import type { Database } from '../../storage/database/database';
import {
  type DeviceCodeStorage,
  type DeviceRequest,
  knexDeviceCodes,
  pollSeconds,
} from '../../storage/identity/device-codes';
import { type EventCountStorage, knexEventCounts } from '../../storage/identity/event-counts';
import { attemptLimiter, guessLimits, networkLimit } from '../password-check';
import { narrowResources, requestedResources } from '../resources';
import { digest, newSecret } from '../token';
import { pagesEndpoint } from './authorization-endpoint';
import { requestedScopes, resourceProblem, scopesProblem } from './authorization-request';
import { checkClient } from './clients';
import {
  type Endpoint,
  errorResponse,
  formEndpoint,
  jsonResponse,
  readFormParameters,
} from './endpoint';
import type { OAuthParts } from './grants';
import type { AccessRequest, PageContext } from './pages';
import type { GrantExchange } from './token-endpoints';

/** The grant type of device codes (RFC 8628 section 3.4). */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';

const codeSeconds = 600;

// RFC 8628 section 6.1: no vowels, which would make words, and no digits, which are mistaken for letters.
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

/** Reads a user code as people type it: in any case, with anything between the letters. */
const readUserCode = (text: string): string =>
  [...text.toUpperCase()]
    .filter((letter) => letters.includes(letter))
    .join('')
    .replace(/^.{4}(?=.)/, '$&-');

/** Issues codes to devices (RFC 8628 section 3.1). */
const codeEndpoint = (
  parts: OAuthParts,
  pageUrl: string,
  devices: DeviceCodeStorage,
  counts: EventCountStorage,
): Endpoint => {
  const { service, issuer, scopes, clock } = parts;
  const refusal = 'Too many devices have asked for codes; try again later.';
  const limited = attemptLimiter({ counts, clock }, { service, kind: 'device', refusal });

  /** Adds a pair of codes; another one where the user code is in use. */
  const issue = async (request: DeviceRequest): Promise<readonly [string, string]> => {
    const deviceCode = newSecret();
    const chosen = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]);
    const userCode = readUserCode(chosen.join(''));
    const hashes = { hash: digest(deviceCode), userCodeHash: digest(userCode) };
    const now = clock();
    const isFree = await devices.add({ ...request, ...hashes }, now, now + codeSeconds * 1000);
    return isFree ? [deviceCode, userCode] : issue(request);
  };

  const known = ['client_id', 'client_secret', 'scope'];
  return formEndpoint(known, async (parameters, request) => {
    const checked = await checkClient(parts, parameters, request);
    if ('refusal' in checked) return checked.refusal;
    const { clientId, flows } = checked.client;
    if (flows?.includes('device') === false) {
      return errorResponse('unauthorized_client', 'The client may not use this grant');
    }
    const granted = requestedScopes(parameters.get('scope'), scopes);
    if (granted === undefined) return errorResponse('invalid_scope', scopesProblem(scopes));
    const resources = requestedResources(parameters.resources, issuer);
    if (resources === undefined) return errorResponse('invalid_target', resourceProblem);
    // Clients are public, and each request takes a row: all count as if they had failed.
    await limited([networkLimit(networkOf(request.address))], async () => undefined);
    const bound = resources.length > 0 ? { resources } : undefined;
    const [deviceCode, userCode] = await issue({ clientId, scopes: granted, ...bound });
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
const devicePage = (
  parts: OAuthParts,
  devices: DeviceCodeStorage,
  counts: EventCountStorage,
): Endpoint => {
  const { service, findClient, pages, clock } = parts;
  const wrong = { notice: 'wrong-code', status: 400 } as const;
  const refusal = 'Too many wrong codes; try again later.';
  const limited = attemptLimiter({ counts, clock }, { service, kind: 'user-code', refusal });

  const find = async (
    userCode: string,
    context: PageContext,
  ): Promise<AccessRequest | undefined> => {
    const hash = digest(userCode);
    const found = await devices.find(hash, clock());
    const client = found && (await findClient(found.clientId));
    if (found === undefined || client === undefined) return undefined;
    const decide = async (userKey?: string): Promise<HttpResponse> =>
      (await devices.decide(hash, clock(), userKey))
        ? pages.outcome(userKey === undefined ? 'denied' : 'allowed', context)
        : pages.enterCode(context, wrong, userCode);
    return { client, scopes: found.scopes, userCode, allow: decide, deny: () => decide() };
  };

  /** Lets a user sign in before any code is looked at. */
  const signInFirst = (context: PageContext): AccessRequest => ({
    ...{ client: { name: context.texts.yourDevice }, scopes: [] },
    allow: async () => undefined,
    deny: async () => pages.outcome('denied', context),
  });

  return pagesEndpoint(parts, async ({ query, address }, context, { signedIn }) => {
    if (signedIn === undefined) return signInFirst(context);
    const typed = readFormParameters(query)?.get('user_code');
    if (typed === undefined) return pages.enterCode(context);
    const limits = guessLimits(signedIn.userKey, networkOf(address));
    const found = await limited(limits, () => find(readUserCode(typed), context));
    return found ?? pages.enterCode(context, wrong, typed);
  });
};

/** Exchanges device codes that users have allowed for access tokens (RFC 8628 sections 3.4 and 3.5). */
const exchangeDeviceCode =
  ({ grants, clock }: OAuthParts, devices: DeviceCodeStorage): GrantExchange =>
  async (clientId, parameters, resources) => {
    const code = parameters.get('device_code');
    if (code === undefined) return errorResponse('invalid_request', 'device_code is missing');
    const { storedFor, responseFor } = grants.tokenOf(clientId);
    const polled = await devices.poll(digest(code), clientId, clock(), (grant) => {
      const narrowed = narrowResources(grant, resources);
      return narrowed && storedFor(narrowed);
    });
    return typeof polled === 'string'
      ? errorResponse(polled, polled.replace('_', ' '))
      : jsonResponse(200, responseFor(polled));
  };

/**
 * Makes the endpoints of the grant, and what the token endpoint exchanges its codes by.
 * @param pageUrl the address of the page
 */
export const deviceGrant = (parts: OAuthParts, pageUrl: string, db: Database) => {
  const devices = knexDeviceCodes(db, parts.service);
  const counts = knexEventCounts(db);
  return {
    deviceAuthorization: codeEndpoint(parts, pageUrl, devices, counts),
    device: devicePage(parts, devices, counts),
    exchange: exchangeDeviceCode(parts, devices),
  };
};
