/** Resources that do not exist, that exist already, and properties that requests cannot set. */

import fc from 'fast-check';
import type { MediaType } from '../../../model/operation';
import type { RequestCase } from '../../../requests/request-case';
import { planOf, type SamplePlan } from '../../../schema/samples/sample-plan';
import { type CaseOutcome, isSuccess, saysInvalid } from '../checks/check-answer';
import type { Problem } from '../rules';
import { withFreshKey } from '../session/request-headers';
import type { Subject } from '../session/subject';
import {
  bodyOptions,
  bodyPlan,
  type FieldReplacement,
  parameterOptions,
  parameterPlan,
} from '../values/case-arbitrary';
import { endsOf, valueArbitrary } from '../values/values';

/** The ends of the numbers in a path, where nothing else decides on the answer: what is not there is not found, and no wrong request. */
const idEnds = ({ operation, session }: Subject): FieldReplacement[] => {
  const required = operation.parameters.filter((one) => one.required);
  const fields = required.map((parameter) => {
    const options = parameterOptions(parameter, session.tools);
    const value = valueArbitrary(parameterPlan(parameter), options) ?? fc.constant(undefined);
    const { in: location, name } = parameter;
    return { in: location, name, path: [], branches: [], value, near: endsOf(value) };
  });
  const isSure = fields.every((one) => one.in === 'path' && one.near.length > 0);
  return isSure && ['get', 'delete'].includes(operation.method) ? fields : [];
};

/** Asks for what is not there: whatever the server says of it, it has to say it as declared. */
export const testUnknown = async (subject: Subject): Promise<void> => {
  const { operation, session, contents } = subject;
  if (operation.parameters.every(({ in: location }) => location !== 'path')) return;
  const cases = subject.cases({ content: contents[0], optional: false, examples: false });
  const ends: RequestCase[] = [];
  for (const field of idEnds(subject)) ends.push(...(await subject.nearCases(undefined, field)));
  const others = subject.samples(cases, session.times(2, 6, 20), 'unknown').slice(ends.length / 2);
  const outcomes: CaseOutcome[] = [];
  for (const sample of [...ends, ...others]) {
    const input = withFreshKey(sample, session.tools);
    const written = subject.write(input);
    if (session.isOver || written?.isValid !== true) continue;
    const outcome = await subject.sendWritten(written, { intent: 'invalid' }, input);
    outcomes.push(outcome);
    subject.report(outcome, 'unknown path parameters');
  }
  const refused = ends.length > 0 ? outcomes.find(saysInvalid) : undefined;
  const statuses = outcomes.map(({ checked }) => checked.status ?? 0);
  if (!refused || !statuses.some((status) => status < 300 || status === 404)) return;
  const problem = {
    rule: 'valid-refused' as const,
    place: 'path',
    expected: '404, or a success: other path parameters are taken',
    seen: String(refused.checked.status),
  };
  subject.report(refused, 'path parameters at the ends of their range', [problem]);
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
    const outcome = await subject.send(await subject.prepare(input, replacement), {
      intent: 'invalid',
    });
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
