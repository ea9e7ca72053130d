/** Sends the steps through the proxies, and reports problems. */

import type { ApiDocument } from '../../src/engine';
import type { PrismProxy } from './prism';
import type { TestedServer } from './serve';
import type { Step } from './steps';
import { type ProxiedResponse, problemsOf } from './violations';

/** The addresses and credentials of requests. */
export type Route = Pick<TestedServer, 'documents' | 'tokens' | 'apiKey'> & {
  /** By service. */
  readonly proxies: Readonly<Record<string, Pick<PrismProxy, 'url'>>>;
};

const operationOf = (documents: readonly ApiDocument[], { service, operationId }: Step) => {
  const operation = documents
    .find(({ name }) => name === service)
    ?.operations.find((one) => one.operationId === operationId);
  if (operation === undefined) throw new Error(`${service} has no operation ${operationId}`);
  return operation;
};

const targetOf = (template: string, { path = {}, query = {} }: Step): string => {
  const filled = template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(path[name])),
  );
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  );
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
};

/** The tokens of the logins so far, by service. */
type Logins = Map<string, string>;

const credentialOf = (
  { service, credential }: Step,
  { tokens, apiKey }: Route,
  logins: Logins,
): Record<string, string> => {
  if (credential === undefined) return {};
  if (credential === 'key') return { api_key: apiKey };
  return {
    Authorization: `Bearer ${credential === 'token' ? tokens[service] : logins.get(service)}`,
  };
};

const bodyOf = ({ body }: Step): string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);

/** Sends one step. */
export const sendStep = async (
  step: Step,
  route: Route,
  logins: Logins = new Map(),
): Promise<ProxiedResponse> => {
  const { method, path } = operationOf(route.documents, step);
  const { service, type = 'application/json', body } = step;
  const response = await fetch(`${route.proxies[service]?.url}${targetOf(path, step)}`, {
    method: method.toUpperCase(),
    headers: {
      Accept: 'application/json',
      ...credentialOf(step, route, logins),
      ...(body === undefined ? {} : { 'Content-Type': type }),
    },
    ...(body === undefined ? {} : { body: bodyOf(step) }),
  });
  const text = await response.text();
  if (step.operationId === 'loginUser' && response.ok) logins.set(service, JSON.parse(text));
  return { status: response.status, text, violations: response.headers.get('sl-violations') };
};

/** Sends the steps; returns a line for each problem. */
export const sendSteps = async (
  steps: readonly Step[],
  route: Route,
): Promise<readonly string[]> => {
  const logins: Logins = new Map();
  const problems: string[] = [];
  for (const [index, step] of steps.entries()) {
    const found = problemsOf(step, await sendStep(step, route, logins));
    const name = `step ${index + 1}, ${step.service} ${step.operationId} ${step.status}`;
    problems.push(...found.map((problem) => `${name}: ${problem}`));
  }
  return problems;
};
