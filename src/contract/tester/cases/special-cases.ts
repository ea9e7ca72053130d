/** Resources that do not exist, that exist already, and properties that requests cannot set. */

import { isPlainObject } from '../../../base/plain-object';
import type { MediaType } from '../../../model/operation';
import { facetsOf, isMarked } from '../../../schema/samples/facets';
import { planOf, type SamplePlan } from '../../../schema/samples/sample-plan';
import { bodyOptions, bodyPlan } from '../requests/case-arbitrary';
import type { Problem } from '../rules';
import { isSuccess, type Outcome, type Subject, someCases } from '../session/subject';
import type { Workbench } from '../session/workbench';
import { valueArbitrary } from '../values/values';

/** Asks for what is not there: whatever the server says of it, it has to say it as declared. */
export const testUnknown = async (_bench: Workbench, subject: Subject): Promise<void> => {
  const { operation, session } = subject;
  if (operation.parameters.every(({ in: location }) => location !== 'path')) return;
  const cases = subject.cases({ content: subject.contents[0], optional: false, examples: false });
  const seed = session.seedOf('unknown', operation.operationId);
  for (const given of cases ? someCases(cases, seed, session.times(2, 6, 20)) : []) {
    const written = subject.write(given);
    if (session.isOver || written?.isValid !== true) continue;
    const outcome = await subject.sendWritten(written, { intent: 'invalid' }, given);
    subject.report(outcome, 'unknown path parameters');
  }
};

/** Sends the same twice, where a conflict is declared. */
export const testConflict = async (bench: Workbench, subject: Subject): Promise<void> => {
  const { operation } = subject;
  if (operation.responses.every(({ key }) => key !== '409')) return;
  const given = await bench.validCase(subject);
  if (given === undefined) return;
  for (const description of ['valid request', 'the same request again']) {
    const outcome = await bench.sendPrepared(subject, given);
    if (outcome !== undefined) subject.report(outcome, description);
  }
};

/** Values that hardly come by chance. */
const isTelling = (value: unknown): boolean =>
  typeof value === 'string' ? value.length >= 6 : Math.abs(Number(value)) > 1000;

const echoed = (name: string, sent: unknown, { checked }: Outcome): Problem[] => {
  const value = checked.body?.value;
  const seen = isPlainObject(value) ? value[name] : undefined;
  if (seen === undefined || String(seen) !== String(sent)) return [];
  return [
    {
      rule: 'read-only-accepted',
      place: name,
      expected: `another value of "${name}", or none: it is readOnly`,
      seen: `the value that was sent, ${String(seen)}`,
    },
  ];
};

const testReadOnlyProperty = async (
  bench: Workbench,
  subject: Subject,
  content: MediaType,
  name: string,
  plan: SamplePlan,
): Promise<void> => {
  const { tools } = bench.session;
  const value = valueArbitrary(plan, bodyOptions(tools));
  const replacement = value && { in: 'body' as const, name: '', path: [name], branches: [], value };
  const cases = replacement && (await bench.shortCases(subject, content, replacement));
  const seed = bench.session.seedOf('readOnly', subject.operation.operationId, name);
  const made = cases ? someCases(cases, seed, 20) : [];
  const given = made.find(({ body }) => isPlainObject(body?.value) && isTelling(body.value[name]));
  if (given === undefined || bench.session.isOver) return;
  const prepared = await bench.prepare(subject, given, replacement);
  const outcome = await subject.send(prepared, { intent: 'invalid' });
  if (!isSuccess(outcome) || !isPlainObject(given.body?.value)) return;
  const problems = echoed(name, given.body.value[name], outcome);
  subject.report(outcome, `body/${name}, which is readOnly`, problems);
};

/** Sends properties that are readOnly: a server ignores or refuses them. */
export const testReadOnly = async (bench: Workbench, subject: Subject): Promise<void> => {
  const [content] = subject.operation.requestBody?.content ?? [];
  if (content === undefined) return;
  const { names, propertyAt } = facetsOf(bodyPlan(subject.operation, content));
  for (const name of names) {
    const plan = planOf(propertyAt(name) ?? []);
    if (isMarked(plan, 'readOnly')) await testReadOnlyProperty(bench, subject, content, name, plan);
  }
};
