/** Valid values of one field after the other: where some are taken, others that the document allows must be, too. */

import fc from 'fast-check';
import { identityName, itemPathsOf, replacedAt } from '../../../document/resources/item-paths';
import { itemsOf } from '../../../engine';
import type { MediaType } from '../../../model/operation';
import { fieldSchema } from '../../../requests/item-contents';
import type { RequestCase } from '../../../requests/request-case';
import { planOf, type SamplePlan } from '../../../schema/samples/sample-plan';
import { type CaseOutcome, isSuccess, saysInvalid } from '../checks/check-answer';
import { fieldsOf, type RequestField } from '../session/coverage';
import { isMomentary } from '../session/request-headers';
import type { Subject } from '../session/subject';
import {
  bodyOptions,
  type FieldReplacement,
  parameterOptions,
  parameterPlan,
} from '../values/case-arbitrary';
import { isKnownFormat } from '../values/texts';
import { edgeValues, type ValueOptions, valueArbitrary } from '../values/values';

interface ValidField extends FieldReplacement {
  readonly plan: SamplePlan;
  /** True where only the values next to limits are tried. */
  readonly isListed: boolean;
}

const validField = (
  place: Pick<FieldReplacement, 'in' | 'name' | 'path'>,
  plan: SamplePlan,
  options: ValueOptions,
): ValidField[] => {
  const values = [true, false].flatMap(
    (optional) => valueArbitrary(plan, { ...options, optional }) ?? [],
  );
  if (values.length === 0) return [];
  const isListed = plan.enumerated !== undefined || plan.type === 'boolean';
  const near = edgeValues(plan, options);
  return [{ ...place, branches: [], plan, isListed, near, value: fc.oneof(...values) }];
};

/** The properties of a body, and the body itself by its own limits. */
const bodyFields = ({ session: { tools } }: Subject, content: MediaType): ValidField[] => {
  const above = itemsOf(content) === undefined ? [] : ['*'];
  const plan = planOf([fieldSchema(content)]);
  const options = bodyOptions(tools);
  const place = { in: 'body', name: '' } as const;
  const fields = plan.names.flatMap((name) => {
    const inner = planOf(plan.propertyAt(name) ?? []);
    const isSent = plan.propertyAt(name) !== undefined && !inner.isMarked('readOnly');
    return isSent ? validField({ ...place, path: [...above, name] }, inner, options) : [];
  });
  // Objects have rules of their own that no schema tells: of a whole one the number of its members is looked at alone.
  if (fields.length === 0)
    return hasMembers(plan) ? [] : validField({ ...place, path: above }, plan, options);
  const [whole] = validField({ ...place, path: above }, plan, { ...options, depth: 0 });
  return [...(whole ? [{ ...whole, isListed: true }] : []), ...fields];
};

/** Tells whether a value is an object, or a list of such. */
const hasMembers = (plan: SamplePlan): boolean =>
  plan.type === 'object' || (plan.type === 'array' && hasMembers(planOf(plan.itemAt(0) ?? [])));

const fieldName = ({ in: location, name, path }: FieldReplacement): string =>
  location === 'body' ? (path.at(-1) ?? '') : name;

/** Tells whether a field may refer to another resource or have to be unique: a server may well refuse its values. */
const isReference = ({ session }: Subject, field: ValidField): boolean => {
  const name = fieldName(field);
  // All values of an enumeration are known.
  if (field.plan.enumerated !== undefined) return false;
  return (
    /(?:^|[a-z_-])(?:ids?|refs?|keys?|uuids?|codes?)$/i.test(name) ||
    session.document.operations
      .flatMap(({ path }) => itemPathsOf(path))
      .some(({ parameter }) => identityName(parameter, [name]) !== undefined)
  );
};

/** Tells whether a field names the resource that the operation replaces: another value would be another resource. */
const isIdentity = ({ operation, session }: Subject, field: ValidField): boolean => {
  const replaced = replacedAt(session.document, operation);
  return (
    field.in === 'body' &&
    replaced !== undefined &&
    identityName(replaced.parameter, [fieldName(field)]) !== undefined
  );
};

interface Tried {
  readonly input: RequestCase;
  readonly outcome: CaseOutcome;
}

/** The different requests that succeeded, and those that were refused, the shortest first. */
interface Answers {
  readonly accepted: readonly Tried[];
  readonly refused: readonly Tried[];
}

/** Tries some values of a field: those next to limits first. There are no others of few values, and those of a whole body come in other tests. */
const tryValues = async (subject: Subject, content: MediaType | undefined, field: ValidField) => {
  const { session } = subject;
  const short = await subject.shortCases(content, field);
  const near = await subject.nearCases(content, field);
  const least = session.times(1, 3, 20);
  const few = field.plan.isBinary ? least : Math.max(session.times(3, 10, 50) - near.length, least);
  const labels = ['field', content?.key ?? '', fieldLabel(field)] as const;
  const others = subject.samples(short, field.isListed ? 0 : few, ...labels);
  const cases = [...near.slice(0, session.times(3, 16, 50)), ...others];
  const accepted = new Map<string, Tried>();
  const refused: Tried[] = [];
  for (const one of cases) {
    const input = await subject.prepare(one, field);
    const written = subject.write(input);
    // Nothing may be taken for no body.
    const isNothing = written?.request.body?.length === 0;
    if (session.isOver || written?.isValid !== true || isNothing) continue;
    const outcome = await subject.sendPrepared(input);
    if (outcome === undefined) continue;
    subject.report(outcome, `valid ${fieldLabel(field)}`);
    const { target, body } = written.request;
    if (isSuccess(outcome)) accepted.set(`${target} ${body}`, { input, outcome });
    if (saysInvalid(outcome)) refused.push({ input, outcome });
  }
  const lengthOf = ({ outcome }: Tried): number => {
    const { target, body } = outcome.sent.request;
    return target.length + (body?.length ?? 0);
  };
  const shortestFirst = refused.toSorted((one, other) => lengthOf(one) - lengthOf(other));
  return { accepted: [...accepted.values()], refused: shortestFirst };
};

const fieldLabel = (field: ValidField): string => `${field.in} ${fieldName(field)}`;

/** Only the server knows what such a text must be. */
const hasUnknownFormat = ({ plan }: ValidField): boolean =>
  !isKnownFormat(plan.format) || plan.parts.some(({ extensions }) => extensions.has('x-precis'));

const isSentIn = (input: RequestCase, field: ValidField): boolean =>
  fieldsOf(input).some((one) => one.in === field.in && one.name === fieldName(field));

/** Tells whether lists of one item are taken, and none of several: the server reads another style. */
const isOtherStyle = ({ in: location, name, plan }: ValidField, { accepted, refused }: Answers) => {
  if (location === 'body' || plan.type !== 'array') return false;
  const isLong = ({ input }: Tried) => Number(Object(input.parameters[location][name]).length) > 1;
  return refused.some(isLong) && accepted.length > 1 && !accepted.some(isLong);
};

/** Reports that a valid request was refused. */
const reportRefused = (
  subject: Subject,
  { outcome }: Tried,
  place: string,
  expected: string,
  field?: RequestField,
): void => {
  const seen = String(outcome.checked.status);
  const problem = { rule: 'valid-refused', place, expected, seen } as const;
  subject.report(outcome, `valid ${place}`, [problem], { field });
};

const testField = async (
  subject: Subject,
  content: MediaType | undefined,
  field: ValidField,
  fields: readonly ValidField[],
): Promise<Answers> => {
  if (subject.session.isOver || isIdentity(subject, field)) return { accepted: [], refused: [] };
  const answers = await tryValues(subject, content, field);
  const [shortest] = answers.refused;
  if (shortest === undefined) return answers;
  // The others of the request have values of their own, which may be what is refused.
  const sent = fields.filter((one) => isSentIn(shortest.input, one));
  const isOwnBusiness = isReference(subject, field) || sent.some(hasUnknownFormat);
  const isFree = !field.isListed && (field.plan.type === 'string' || hasMembers(field.plan));
  const enough = isFree || sent.some((one) => isReference(subject, one)) ? 2 : 1;
  const isFault = answers.accepted.length >= enough && !isOwnBusiness;
  if (isFault || isOtherStyle(field, answers)) {
    const expected = 'a success, as for other values that the document allows';
    const about = { in: field.in, name: fieldName(field) };
    reportRefused(subject, shortest, fieldLabel(field), expected, about);
  }
  return answers;
};

/** Reports a media type of which nothing is taken, though others are: as such, or where nothing in the body is the server's own business. */
const reportRefusedType = (
  subject: Subject,
  { key }: MediaType,
  fields: readonly ValidField[],
  { accepted, refused }: Answers,
): void => {
  const [shortest] = refused;
  if (shortest === undefined || refused.length < 2 || accepted.length > 0) return;
  const isUnsupported = refused.every(({ outcome }) => outcome.checked.status === 415);
  const isOwnBusiness = (field: ValidField): boolean =>
    field.plan.isBinary || hasUnknownFormat(field) || isReference(subject, field);
  const sent = fields.filter((one) => isSentIn(shortest.input, one));
  if (!isUnsupported && sent.some(isOwnBusiness)) return;
  reportRefused(subject, shortest, `body of ${key}`, 'a success, as for other media types');
};

/** Tries valid values of each field, at its boundaries above all, while the others stay short. */
export const testFields = async (subject: Subject): Promise<void> => {
  const [first] = subject.contents;
  const { operation, session } = subject;
  const parameters = operation.parameters
    .filter((parameter) => !isMomentary(parameter))
    .flatMap((parameter) => {
      const place = { in: parameter.in, name: parameter.name, path: [] };
      const options = parameterOptions(parameter, session.tools);
      return validField(place, parameterPlan(parameter), options);
    })
    .filter((field) => {
      const { type, enumerated, patterns } = field.plan;
      // Each value has to be one that a segment can be, and none may name a resource.
      const isPlain = type !== 'string' || enumerated !== undefined || patterns.length > 0;
      return field.in !== 'path' || (isPlain && !isReference(subject, field));
    });
  const bodies = (operation.requestBody?.content ?? []).map((content) => {
    const own = bodyFields(subject, content);
    return { content, own, fields: [...parameters, ...own] };
  });
  const inFirst = bodies[0]?.fields ?? parameters;
  for (const field of parameters) await testField(subject, first, field, inFirst);
  const tested = [];
  for (const { content, own, fields } of bodies) {
    const all: Answers[] = [];
    for (const field of own) all.push(await testField(subject, content, field, fields));
    const accepted = all.flatMap((one) => one.accepted);
    const refused = all.flatMap((one) => one.refused);
    tested.push({ content, fields, answers: { accepted, refused } });
  }
  if (tested.every(({ answers }) => answers.accepted.length === 0)) return;
  for (const { content, fields, answers } of tested) {
    reportRefusedType(subject, content, fields, answers);
  }
};
