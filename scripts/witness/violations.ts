/** Reads what Prism has found, and judges a step by it. */

import type { Step } from './story';

/** One entry of the header `sl-violations`. */
export interface Violation {
  /** `['request', 'body']`: where it is. */
  readonly location: readonly string[];
  readonly message: string;
}

/** What came back through Prism. */
export interface WitnessedResponse {
  readonly status: number;
  readonly text: string;
  /** The header; null where Prism has found nothing. */
  readonly violations: string | null;
}

const readViolations = (header: string | null): readonly Violation[] =>
  header === null ? [] : (JSON.parse(header) as readonly Violation[]);

/** Which of the violations are in the response. */
export const responseViolations = (response: WitnessedResponse): readonly Violation[] =>
  readViolations(response.violations).filter(({ location }) => location[0] === 'response');

const placeOf = ({ location }: Violation): string => location.join('.');

/** What is wrong with a response, and with a request that should have been right; one sentence each. */
export const problemsOf = (step: Step, response: WitnessedResponse): readonly string[] => {
  const { status, text } = response;
  const { misjudged } = step;
  const found = step.isWrong ? responseViolations(response) : readViolations(response.violations);
  const isGone = misjudged !== undefined && !found.some((one) => placeOf(one) === misjudged);
  return [
    ...(status === step.status ? [] : [`answered ${status}, not ${step.status}: ${text}`]),
    ...found
      .filter((one) => placeOf(one) !== misjudged)
      .map((one) => `${placeOf(one)}: ${one.message}`),
    ...(isGone ? [`${misjudged}: Prism no longer finds a fault here; take the exception out`] : []),
  ];
};

/** The operations that no step asks. */
export const unaskedOperations = (
  operations: readonly { readonly service: string; readonly operationId: string }[],
  steps: readonly Step[],
): readonly string[] => {
  const nameOf = ({ service, operationId }: (typeof operations)[number]): string =>
    `${service} ${operationId}`;
  const asked = new Set(steps.map(nameOf));
  return operations.map(nameOf).filter((name) => !asked.has(name));
};
