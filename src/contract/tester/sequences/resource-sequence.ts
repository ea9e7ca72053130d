/** One resource on its way: what was sent for it, what was read, and what is wrong with that. */

import type { SentRequest } from '../../../requests/http-client';
import { accepting, type RequestCase } from '../../../requests/request-case';
import { type CaseOutcome, isSuccess } from '../checks/check-answer';
import { anyItem } from '../checks/read-body';
import { type Problem, shown } from '../rules';
import type { PathValues } from '../session/resources';
import type { TestFinding } from '../session/session';
import type { Subject } from '../session/subject';
import type { CaseOptions } from '../values/case-arbitrary';
import {
  comparable,
  differences,
  type KeptValues,
  missingValues,
  returnedPlaces,
} from './compare-values';

/** One resource on its way, and all that was sent for it. */
export class ResourceSequence {
  readonly #kept: KeptValues<TestFinding>;
  readonly #sent: SentRequest[] = [];
  readonly #path: PathValues;
  readonly findings: TestFinding[] = [];

  constructor(kept: KeptValues<TestFinding>, path: PathValues, created: CaseOutcome) {
    this.#kept = kept;
    this.#path = path;
    this.#sent.push(created.sent);
  }

  /** Makes a valid request for the resource; without examples, which name other resources. */
  async caseOf(subject: Subject, optional: CaseOptions['optional']) {
    const { contents } = subject;
    const content = contents[this.#sent.length % contents.length];
    const cases = subject.cases({ content, optional, examples: false });
    const [input] = subject.samples(cases, 1, 'sequence', this.#sent.length);
    return input && subject.resources.pinTo(input, this.#path);
  }

  /** Sends a valid request, by default as short a one as can be. */
  async ask(subject: Subject, input?: RequestCase, accept?: string) {
    const request = input ?? (await this.caseOf(subject, false));
    if (request === undefined) return undefined;
    const change = accepting(accept);
    const outcome = await subject.send(request, { intent: 'valid', change });
    if (outcome !== undefined) this.#sent.push(outcome.sent);
    const findings = outcome ? subject.findings(outcome, 'valid request') : [];
    this.findings.push(...findings.map((finding) => ({ ...finding, sent: [...this.#sent] })));
    return outcome;
  }

  /** Adds what is wrong with the last answer in the light of those before. */
  fail(subject: Subject, description: string, problem: Problem): void {
    this.findings.push(this.#finding(subject, description, problem));
  }

  #finding({ operation, coverage }: Subject, description: string, problem: Problem): TestFinding {
    return { problem, operation, coverage, sent: [...this.#sent], description };
  }

  /** Holds what was read to what one of the operations has written. */
  compare(
    { subject, writer }: { readonly subject: Subject; readonly writer: Subject },
    sent: unknown,
    read: CaseOutcome,
    after: string,
  ): void {
    const { body } = read.checked;
    const compared = body && comparable(sent, body);
    if (compared === undefined) return;
    const { written, value, shape } = compared;
    const missing = missingValues(written, value, shape);
    const found = [...differences(written, value, shape), ...missing];
    const lacking = missing.map(({ pointer }) => anyItem(pointer));
    writer.coverage.recordReturn(written, returnedPlaces(written, value), lacking);
    const lost = this.#kept.lost(found, written, value, ({ pointer, written: one, read: came }) =>
      this.#finding(subject, `read after ${after}`, {
        rule: 'value-changed',
        place: anyItem(pointer),
        expected: `${shown(one)} at ${pointer}, as it was written`,
        seen: shown(came),
      }),
    );
    this.findings.push(...lost);
  }
}

/** RFC 9110 section 15.3.3: accepted, and not yet done. */
export const isDone = (outcome: CaseOutcome | undefined): outcome is CaseOutcome =>
  isSuccess(outcome) && outcome.checked.status !== 202;

/** Reads what has been written; undefined where that does not succeed. */
export const readBack = async (
  sequence: ResourceSequence,
  { read, create }: { readonly read: Subject | undefined; readonly create: Subject },
  written: unknown,
  accept?: string,
): Promise<CaseOutcome | undefined> => {
  const outcome = read && (await sequence.ask(read, undefined, accept));
  if (read === undefined || outcome === undefined) return undefined;
  if (outcome.checked.status === 404 || outcome.checked.status === 410) {
    sequence.fail(read, 'read after create', {
      rule: 'created-not-found',
      expected: 'what has just been created',
      seen: String(outcome.checked.status),
    });
  }
  if (!isSuccess(outcome)) return undefined;
  sequence.compare({ subject: read, writer: create }, written, outcome, 'create');
  return outcome;
};
