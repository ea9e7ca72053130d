/** Sends the steps through the proxies, and reports the findings of Prism and other problems. */

import type { ApiDocument } from '../../src/engine';
import type { TestedServer } from './serve';
import type { Step } from './steps';

/** One entry of the header `sl-violations`. */
interface Violation {
  /** The place, such as `['request', 'body']`. */
  readonly location: readonly string[];
  readonly message: string;
}

/** A response that came through Prism. */
interface ProxiedResponse {
  readonly status: number;
  readonly text: string;
  /** The header; null where Prism has found nothing. */
  readonly violations: string | null;
}

const readViolations = (header: string | null): readonly Violation[] =>
  header === null ? [] : (JSON.parse(header) as readonly Violation[]);

/** Returns the violations that are in the response. */
export const responseViolations = (response: ProxiedResponse): readonly Violation[] =>
  readViolations(response.violations).filter(({ location }) => location[0] === 'response');

const placeOf = ({ location }: Violation): string => location.join('.');

/** Returns a sentence for each problem of a response, and of a request that should have been right. */
const problemsOf = (step: Step, response: ProxiedResponse): readonly string[] => {
  const { status, text } = response;
  const { misjudged } = step;
  const found = step.isWrong ? responseViolations(response) : readViolations(response.violations);
  const isGone = misjudged !== undefined && !found.some((one) => placeOf(one) === misjudged);
  return [
    ...(status === step.status ? [] : [`the status is ${status}, not ${step.status}: ${text}`]),
    ...found
      .filter((one) => placeOf(one) !== misjudged)
      .map((one) => `${placeOf(one)}: ${one.message}`),
    ...(isGone ? [`${misjudged}: Prism no longer finds a fault here; remove the exception`] : []),
  ];
};

/** The addresses and credentials of requests. */
export type Route = Pick<TestedServer, 'documents' | 'tokens' | 'apiKey'> & {
  /** The URLs of proxies by service. */
  readonly proxies: Readonly<Record<string, string>>;
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

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array;

/** Sends one step. */
export const sendStep = async (
  step: Step,
  route: Route,
  logins: Logins = new Map(),
): Promise<ProxiedResponse> => {
  const { method, path } = operationOf(route.documents, step);
  const { service, type = 'application/json', body } = step;
  const response = await fetch(`${route.proxies[service]}${targetOf(path, step)}`, {
    method: method.toUpperCase(),
    headers: {
      Accept: 'application/json',
      ...credentialOf(step, route, logins),
      ...(body === undefined ? {} : { 'Content-Type': type }),
    },
    ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
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
