/** One resource on its way from its creation on: what was asked of it, and what is wrong. */

import { isPlainObject } from '../../../base/plain-object';
import { accepting, type RequestCase } from '../../../requests/request-case';
import type { SentRequest } from '../exchange/http-client';
import { type Problem, shown } from '../rules';
import type { Outcome } from '../session/outcome';
import type { PathValues } from '../session/resources';
import type { Finding } from '../session/session';
import type { Subject } from '../session/subject';
import type { CaseOptions } from '../values/case-arbitrary';
import { differences, type KeptValues, missing, placeOf } from './compare-values';

/** One resource on its way, and all that was sent for it. */
export class ResourceSequence {
  readonly #kept: KeptValues;
  readonly #sent: SentRequest[] = [];
  readonly #path: PathValues;
  readonly findings: Finding[] = [];

  constructor(kept: KeptValues, path: PathValues, created: Outcome) {
    this.#kept = kept;
    this.#path = path;
    this.#sent.push(created.sent);
  }

  /** Makes a valid request for the resource; without examples, which name other resources. */
  async caseOf(
    subject: Subject,
    optional: CaseOptions['optional'],
  ): Promise<RequestCase | undefined> {
    const cases = subject.cases({ content: subject.contents[0], optional, examples: false });
    const [given] = subject.samples(cases, 1, 'sequence', this.#sent.length);
    return given && subject.resources.pinTo(given, this.#path);
  }

  /** Sends a valid request, by default as short a one as can be. */
  async ask(subject: Subject, given?: RequestCase, accept?: string): Promise<Outcome | undefined> {
    const request = given ?? (await this.caseOf(subject, false));
    if (request === undefined) return undefined;
    const change = accepting(accept);
    const outcome = await subject.send(request, { intent: 'valid', change });
    if (outcome !== undefined) this.#sent.push(outcome.sent);
    const findings = outcome ? subject.findings(outcome, 'valid request') : [];
    this.findings.push(...findings.map((finding) => ({ ...finding, sent: [...this.#sent] })));
    return outcome;
  }

  /** Adds what is wrong with the last answer in the light of those before. */
  fail({ operation, coverage }: Subject, description: string, problem: Problem): void {
    const sent = [...this.#sent];
    this.findings.push({ problem, operation, coverage, sent, description });
  }

  /** Holds what was read to what was written. */
  compare(subject: Subject, written: unknown, read: Outcome, after: string): void {
    const { body } = read.checked;
    if (body === undefined || !isPlainObject(body.value)) return;
    const { value, shape } = body;
    const found = [...differences(written, value, shape), ...missing(written, value, shape)];
    const lost = this.#kept.lost(found, written, value);
    for (const { pointer, written: one, read: other } of lost) {
      this.fail(subject, `read after ${after}`, {
        rule: 'value-changed',
        place: placeOf(pointer),
        expected: `${shown(one)} at ${pointer}, as it was written`,
        seen: shown(other),
      });
    }
  }
}
