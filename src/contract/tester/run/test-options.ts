/** Checks that the options of a run fit the document and the server. */

import { loginScheme, needsCredential, requirementsOf } from '../../../requests/credentials';
import type { HttpClient } from '../../../requests/http-client';
import type { TestOptions } from '../session/session';
import type { Subject } from '../session/subject';

/** Options that make no sense for the document or the server: one sentence for the user. */
export class UnusableOptions extends Error {
  override readonly name = 'UnusableOptions';
}

/** @throws UnusableOptions where a credential names no security scheme of the document */
export const requireSchemes = ({ document, credentials = [] }: TestOptions): void => {
  const names = [...document.securitySchemes.keys()];
  const isUsed = document.operations.some(({ loggedInUser }) => loggedInUser !== undefined);
  const known = isUsed ? [...names, loginScheme] : names;
  const wrong = credentials.find(({ scheme }) => !known.includes(scheme));
  if (wrong === undefined) return;
  const choice = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`;
  const message = `${document.file} has no security scheme "${wrong.scheme}", which --credential names. ${choice}`;
  throw new UnusableOptions(message);
};

/** @throws UnusableOptions where the document has no operation of a name */
export const requireOperations = ({ document, only = [] }: TestOptions): void => {
  const names = document.operations.map(({ operationId }) => operationId);
  const wrong = only.find((name) => !names.includes(name));
  if (wrong === undefined) return;
  throw new UnusableOptions(`${document.file} has no operation "${wrong}", which --only names.`);
};

/** @throws UnusableOptions where the text is no URL of a server */
export const requireUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new UnusableOptions(`"${text}" is no http or https URL.`);
};

/** Asks for anything at all: a server that cannot be reached has failed no test. */
export const requireServer = async (client: HttpClient, url: URL): Promise<void> => {
  const { error } = await client.send({ method: 'GET', target: '/', headers: [], body: undefined });
  if (error === undefined) return;
  const message = `No server answers at ${url.href}: ${error}. Start the server, or mocks by the command serve.`;
  throw new UnusableOptions(message);
};

/** A wrong URL leads to no operation at all, and its refusals carry no information. */
export const requireOperationsThere = (subjects: readonly Subject[], url: URL): void => {
  const statuses = [...new Set(subjects.flatMap(({ coverage }) => [...coverage.answers]))];
  const works = subjects.some(({ coverage }) => coverage.works);
  // Statuses of what is not there, or somewhere else.
  const isElsewhere = (status: number): boolean =>
    (status >= 300 && status < 400) || [404, 405, 410].includes(status);
  if (works || statuses.length === 0 || !statuses.every(isElsewhere)) return;
  const message = `No operation succeeded once: is the URL right? ${url.href} answered every valid request with ${statuses.join(' or ')}.`;
  throw new UnusableOptions(message);
};

/** A credential that opens nothing is the user's mistake, and the rest of the report worth nothing. */
export const requireCredentials = (
  { credentials = [] }: TestOptions,
  subjects: readonly Subject[],
): void => {
  const isRefused = (scheme: string): boolean => {
    const asking = subjects.filter(
      ({ operation, coverage }) =>
        coverage.requests > 0 &&
        needsCredential(operation) &&
        requirementsOf(operation).every((one) => Object.hasOwn(one, scheme)),
    );
    return asking.length > 0 && asking.every(({ letsIn }) => !letsIn);
  };
  const wrong = credentials.find(({ scheme }) => isRefused(scheme));
  if (wrong === undefined) return;
  const message = `Every operation that asks for "${wrong.scheme}" answers 401: the credential for it is not valid.`;
  throw new UnusableOptions(message);
};
