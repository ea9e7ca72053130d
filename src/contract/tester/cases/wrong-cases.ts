/** Requests that break one rule of the document: each has to be refused. */

import fc from 'fast-check';
import { isNumeric } from '../../../base/exact-number';
import { itemsOf, type SchemaContext } from '../../../engine';
import type { MediaType, Operation, Parameter } from '../../../model/operation';
import { valueSchema } from '../../../requests/item-contents';
import {
  accepting,
  errorTypes,
  type OutgoingRequest,
  type RequestCase,
} from '../../../requests/request-case';
import { type CaseOutcome, withProblems } from '../checks/check-answer';
import type { Problem } from '../rules';
import { declaredFields, type RequestField } from '../session/coverage';
import { explore } from '../session/session';
import type { Subject } from '../session/subject';
import {
  bodyOptions,
  bodyPlan,
  type FieldReplacement,
  parameterOptions,
  parameterPlan,
} from '../values/case-arbitrary';
import { keepFitting } from '../values/texts';
import { absent } from '../values/values';
import { brokenWords, type WrongValue, wrongValues } from '../values/wrong-values';

interface WrongField extends FieldReplacement {
  readonly broken: WrongValue['broken'];
  /** The field by which coverage counts it: the body where a list or an object as a whole is wrong. */
  readonly field: RequestField;
}

/**
 * Keeps those that a server has to refuse. OAS 3.0.4, Style Values: a text is no deepObject at all, so that the parameter is absent,
 * and values inside its members are undefined.
 */
const definedIn = ({ style }: Parameter, field: WrongField): WrongField[] => {
  if (style !== 'deepObject') return [field];
  if (field.path.length === 0) return field.broken === 'type' ? [] : [field];
  if (field.path.length > 1) return [];
  const ofText = (values: fc.Arbitrary<unknown>) =>
    keepFitting(values, (one) => isNumeric(one) || typeof one !== 'object' || one === null);
  const value = ofText(field.value);
  const near = field.near?.flatMap((one) => ofText(one) ?? []) ?? [];
  return value === undefined ? [] : [{ ...field, value, near }];
};

const wrongParameters = ({ parameters }: Operation, tools: SchemaContext): WrongField[] =>
  parameters.flatMap((parameter): WrongField[] => {
    const { in: location, name, required } = parameter;
    const wrong = wrongValues(parameterPlan(parameter), parameterOptions(parameter, tools));
    const value = fc.constant(absent);
    const missing = { path: [], branches: [], value, broken: 'required' } as const;
    // In a parameter null is a text like others.
    const told = wrong.filter(({ broken }) => broken !== 'nullable');
    const field = { in: location, name };
    return [
      ...(required && location !== 'path' ? [{ ...missing, ...field, field }] : []),
      ...told.flatMap((one) => definedIn(parameter, { ...one, ...field, field })),
    ];
  });

const wrongBodies = (
  operation: Operation,
  content: MediaType,
  tools: SchemaContext,
): WrongField[] => {
  const declared = declaredFields(operation, tools).filter((one) => one.in === 'body');
  const names = new Set(declared.map(({ name }) => name));
  const wrong = wrongValues(bodyPlan(operation, content), bodyOptions(tools));
  const isItems = itemsOf(content) !== undefined;
  // The same behind two right items, so far as it is a rule of the item or of its fields.
  const later = wrong
    .filter(({ path }) => isItems && path[0] === '*' && path.length < 3)
    .map((one) => ({ ...one, path: ['2', ...one.path.slice(1)] }));
  return [...wrong, ...later].map((one) => {
    const step = one.path[isItems ? 1 : 0] ?? '';
    const field = { in: 'body', name: names.has(step) ? step : '' } as const;
    return { ...one, in: 'body', name: '', field };
  });
};

/** `body/price below its minimum`. */
const describeWrong = ({ in: location, name, path, broken }: WrongField): string => {
  const owner = location === 'body' ? 'body' : `${location} parameter "${name}"`;
  return `${owner}${path.map((step) => `/${step}`).join('')} ${brokenWords[broken]}`;
};

/** Tells whether a request was refused. A stream may have begun before the wrong item came: its end is the refusal then. */
const isRefused = ({ checked: { status = 0, problems } }: CaseOutcome): boolean =>
  status >= 400 || problems.some(({ rule }) => rule === 'stream-broken');

/** Gives what is wrong with the answer to a wrong request, as `findings` and `report` of a subject take it. */
const judged = (outcome: CaseOutcome, place: string) => {
  const { status } = outcome.checked;
  const seen = String(status);
  const accepted: Problem = { rule: 'invalid-accepted', place, expected: 'a refusal (4xx)', seen };
  const isAccepted = status !== undefined && !isRefused(outcome);
  const sound = withProblems(outcome, ({ rule }) => rule !== 'stream-broken');
  return [sound, place, isAccepted ? [accepted] : []] as const;
};

const testWrongFields = async (
  subject: Subject,
  content: MediaType | undefined,
  fields: readonly WrongField[],
  runs: number,
): Promise<void> => {
  const { operation, session } = subject;
  for (const field of fields) {
    const cases = session.isOver ? undefined : await subject.shortCases(content, field);
    if (cases === undefined) continue;
    const near = await subject.nearCases(content, field);
    await explore(session, {
      label: `wrong ${operation.operationId} ${content?.key} ${describeWrong(field)}`,
      arbitrary: fc.tuple(cases, fc.constantFrom(undefined, ...errorTypes(operation))),
      first: near.map((input): [RequestCase, undefined] => [input, undefined]),
      // Where there is time for one alone, it is the nearest.
      runs: runs === 1 ? 1 : Math.max(runs, near.length),
      async attempt([input, accept]) {
        const prepared = await subject.prepare(input, field);
        const written = subject.write(prepared);
        if (written === undefined || written.isValid) return undefined;
        const change = accepting(accept);
        const outcome = await subject.sendWritten(written, { intent: 'invalid', change }, prepared);
        subject.coverage.recordInvalid(field.field, isRefused(outcome));
        return subject.findings(...judged(outcome, describeWrong(field)), { field: field.field });
      },
    });
  }
};

/** Sends a valid case changed so that the document does not allow it any more. */
const testChanged = async (
  subject: Subject,
  description: string,
  change: (input: RequestCase) => RequestCase,
  changeRequest: (request: OutgoingRequest) => OutgoingRequest = (request) => request,
): Promise<void> => {
  const input = await subject.validCase();
  const written = input && subject.write(change(input));
  if (written === undefined || subject.session.isOver) return;
  const sending = { intent: 'invalid', change: changeRequest } as const;
  const outcome = await subject.sendWritten({ ...written, isValid: false }, sending);
  subject.report(...judged(outcome, description));
};

/** Malformed bodies by media type, or by the name of the format of their items; of an event stream no text is (HTML Standard, section 9.2.6). */
const malformed: Readonly<Record<string, string>> = {
  json: '{"a": ',
  xml: '<a><b></a>',
  lines: '{"a": \n',
  'json-seq': '\u001e{"a": \n',
};

const testMalformed = async (subject: Subject, content: MediaType): Promise<void> => {
  const kind = itemsOf(content)?.format.name ?? /(?:json|xml)$/.exec(content.key)?.[0] ?? '';
  const text = malformed[kind];
  if (text === undefined || valueSchema(content) === undefined) return;
  await testChanged(
    subject,
    `malformed body of ${content.key}`,
    (input) => input,
    ({ headers, ...request }) => ({
      ...request,
      headers: headers.map(([name, value]) =>
        name.toLowerCase() === 'content-type' ? [name, content.key] : [name, value],
      ),
      body: Buffer.from(text),
    }),
  );
};

/** Breaks every rule of every field, one by one, in every media type. */
export const testWrongCases = async (subject: Subject): Promise<void> => {
  const { operation, contents, session } = subject;
  const { requestBody } = operation;
  const runs = session.times(1, 3, 12);
  await testWrongFields(subject, contents[0], wrongParameters(operation, session.tools), runs);
  for (const [at, content] of (requestBody?.content ?? []).entries()) {
    const fields = wrongBodies(operation, content, session.tools);
    await testWrongFields(subject, content, fields, at === 0 ? runs : 1);
    await testMalformed(subject, content);
  }
  if (requestBody?.required) {
    await testChanged(subject, 'body missing', (input) => ({ ...input, body: undefined }));
  }
};
