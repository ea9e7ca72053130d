/** Resources that do not exist, that exist already, and properties that requests cannot set. */

import type { MediaType } from '../../../model/operation';
import type { RequestCase } from '../../../requests/request-case';
import { planOf, type SamplePlan } from '../../../schema/samples/sample-plan';
import { isSuccess } from '../checks/check-answer';
import type { Problem } from '../rules';
import { withFreshKey } from '../session/request-headers';
import type { Subject } from '../session/subject';
import { bodyOptions, bodyPlan } from '../values/case-arbitrary';
import { valueArbitrary } from '../values/values';

/** Asks for what is not there: whatever the server says of it, it has to say it as declared. */
export const testUnknown = async (subject: Subject): Promise<void> => {
  const { operation, session } = subject;
  if (operation.parameters.every(({ in: location }) => location !== 'path')) return;
  const cases = subject.cases({ content: subject.contents[0], optional: false, examples: false });
  for (const sample of subject.samples(cases, session.times(2, 6, 20), 'unknown')) {
    const input = withFreshKey(sample, session.tools);
    const written = subject.write(input);
    if (session.isOver || written?.isValid !== true) continue;
    const outcome = await subject.sendWritten(written, { intent: 'invalid' }, input);
    subject.report(outcome, 'unknown path parameters');
  }
};

/** Sends the same twice, where a conflict is declared. */
export const testConflict = async (subject: Subject): Promise<void> => {
  const { operation } = subject;
  if (operation.responses.every(({ key }) => key !== '409')) return;
  const input = await subject.validCase();
  if (input === undefined) return;
  for (const description of ['valid request', 'the same request again']) {
    const outcome = await subject.sendPrepared(withFreshKey(input, subject.session.tools));
    if (outcome !== undefined) subject.report(outcome, description);
  }
};

const testReadOnlyProperty = async (
  subject: Subject,
  content: MediaType,
  name: string,
  plan: SamplePlan,
): Promise<void> => {
  const { session } = subject;
  const value = valueArbitrary(plan, bodyOptions(session.tools));
  const replacement = value && { in: 'body' as const, name: '', path: [name], branches: [], value };
  const cases = replacement && (await subject.shortCases(content, replacement));
  const samples = subject.samples(cases, 20, 'readOnly', name);
  const valueIn = ({ body }: RequestCase) => Object(body?.value)[name];
  const isTelling = (sent: unknown): boolean =>
    typeof sent === 'string' ? sent.length >= 6 : Math.abs(Number(sent)) > 1000;
  const byValue = new Map(samples.map((sample) => [String(valueIn(sample)), sample]));
  const telling = plan.enumerated ? undefined : samples.find((one) => isTelling(valueIn(one)));
  // One that hardly comes by chance, or else two of the few that there are.
  const inputs = telling ? [telling] : [...byValue.values()].slice(0, 2);
  let left = telling ? 1 : 2;
  for (const input of inputs) {
    const prepared = await subject.prepare(input, replacement);
    const outcome = await subject.send(prepared, { intent: 'invalid' });
    const read = isSuccess(outcome) ? Object(outcome.checked.body?.value)[name] : undefined;
    if (outcome === undefined || String(read) !== String(valueIn(input))) return;
    left -= 1;
    const problem: Problem = {
      rule: 'read-only-accepted',
      place: name,
      expected: `another value of "${name}", or none: it is readOnly`,
      seen: `the value that was sent, ${String(read)}`,
    };
    subject.report(outcome, `body/${name}, which is readOnly`, left === 0 ? [problem] : []);
  }
};

/** Sends properties that are readOnly: a server ignores or refuses them. */
export const testReadOnly = async (subject: Subject): Promise<void> => {
  const [content] = subject.operation.requestBody?.content ?? [];
  if (content === undefined) return;
  const body = bodyPlan(subject.operation, content);
  for (const name of body.names) {
    const plan = planOf(body.propertyAt(name) ?? []);
    if (plan.isMarked('readOnly')) await testReadOnlyProperty(subject, content, name, plan);
  }
};
