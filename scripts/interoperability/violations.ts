/** The findings of Prism, and the problems of a step. */

import type { Step } from './steps';

/** One entry of the header `sl-violations`. */
export interface Violation {
  /** The place, such as `['request', 'body']`. */
  readonly location: readonly string[];
  readonly message: string;
}

/** A response that came through Prism. */
export interface ProxiedResponse {
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
export const problemsOf = (step: Step, response: ProxiedResponse): readonly string[] => {
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

/** Returns the operations that no step requests. */
export const unaskedOperations = (
  operations: readonly { readonly service: string; readonly operationId: string }[],
  steps: readonly Step[],
): readonly string[] => {
  const nameOf = ({ service, operationId }: (typeof operations)[number]): string =>
    `${service} ${operationId}`;
  const asked = new Set(steps.map(nameOf));
  return operations.map(nameOf).filter((name) => !asked.has(name));
};
