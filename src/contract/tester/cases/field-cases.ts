/** Valid values of one field after the other: where some are taken, others that the document allows must be, too. */

import fc from 'fast-check';
import { identityName, itemPathsOf, replacedAt } from '../../../document/resources/item-paths';
import { itemsOf } from '../../../engine';
import type { MediaType } from '../../../model/operation';
import { fieldSchema } from '../../../requests/item-contents';
import type { RequestCase } from '../../../requests/request-case';
import { planOf, type SamplePlan } from '../../../schema/samples/sample-plan';
import { type CaseOutcome, isSuccess, saysInvalid } from '../checks/check-answer';
import { fieldsOf } from '../session/coverage';
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
}

const validField = (
  place: Pick<FieldReplacement, 'in' | 'name' | 'path'>,
  plan: SamplePlan,
  options: ValueOptions,
): ValidField[] => {
  const values = [true, false].flatMap(
    (optional) => valueArbitrary(plan, { ...options, optional }) ?? [],
  );
  const near = edgeValues(plan, options);
  const value = fc.oneof(...values);
  return values.length === 0 ? [] : [{ ...place, branches: [], plan, near, value }];
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
  const depth = fields.length === 0 ? options.depth : 0;
  return [...validField({ ...place, path: above }, plan, { ...options, depth }), ...fields];
};

const fieldName = ({ in: location, name, path }: FieldReplacement): string =>
  location === 'body' ? (path.at(-1) ?? '') : name;

/** Tells whether a field may refer to another resource or have to be unique: a server may well refuse its values. */
const isReference = ({ session }: Subject, field: ValidField): boolean => {
  const name = fieldName(field);
  const parameters = session.document.operations
    .flatMap(({ path }) => itemPathsOf(path))
    .map(({ parameter }) => parameter);
  return (
    /(?:^|[a-z_-])(?:ids?|refs?|keys?|uuids?|codes?)$/i.test(name) ||
    parameters.some((parameter) => identityName(parameter, [name]) !== undefined)
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

/** Tries some values of a field. Resolves to the different requests that succeeded, and to those that were refused, the shortest first. */
const tryCases = async (subject: Subject, field: ValidField, cases: readonly RequestCase[]) => {
  const accepted = new Map<string, Tried>();
  const refused: Tried[] = [];
  for (const one of cases) {
    const input = await subject.prepare(one, field);
    const written = subject.write(input);
    if (subject.session.isOver || written?.isValid !== true) continue;
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

const isInside = (one: ValidField, other: ValidField): boolean =>
  one.in === other.in && one.path.length > other.path.length;

const isSentIn = (input: RequestCase, field: ValidField): boolean =>
  fieldsOf(input).some((one) => one.in === field.in && one.name === fieldName(field));

/** Tells whether lists of one item are taken, and none of several: the server reads another style. */
const isOtherStyle = (
  { in: location, name, plan }: ValidField,
  accepted: readonly Tried[],
  refused: readonly Tried[],
): boolean => {
  if (location === 'body' || plan.type !== 'array') return false;
  const isLong = ({ input }: Tried) => Number(Object(input.parameters[location][name]).length) > 1;
  return refused.filter(isLong).length > 1 && accepted.length > 0 && !accepted.some(isLong);
};

const testField = async (
  subject: Subject,
  content: MediaType | undefined,
  field: ValidField,
  fields: readonly ValidField[],
): Promise<void> => {
  const { session } = subject;
  const cases = await subject.shortCases(content, field);
  if (cases === undefined || session.isOver || isIdentity(subject, field)) return;
  const label = fieldLabel(field);
  const near = await subject.nearCases(content, field);
  const { enumerated, type } = field.plan;
  // There are no others, or those of other tests.
  const isWhole = field.in === 'body' && fields.some((one) => isInside(one, field));
  const isListed = enumerated !== undefined || type === 'boolean' || isWhole;
  const few = Math.max(session.times(3, 10, 50) - near.length, session.times(1, 3, 20));
  const others = subject.samples(cases, isListed ? 0 : few, 'field', content?.key ?? '', label);
  const tried = [...near.slice(0, session.times(3, 16, 50)), ...others];
  const { accepted, refused } = await tryCases(subject, field, tried);
  const [shortest] = refused;
  if (shortest === undefined) return;
  // The others of the request have values of their own, which may be what is refused.
  const sent = fields.filter((one) => isSentIn(shortest.input, one));
  const isOwnBusiness = isReference(subject, field) || sent.some(hasUnknownFormat);
  const enough = isListed && !sent.some((one) => isReference(subject, one)) ? 1 : 2;
  const isFault = accepted.length >= enough && !isOwnBusiness;
  if (!isFault && !isOtherStyle(field, accepted, refused)) return;
  const { outcome } = shortest;
  const problem = {
    rule: 'valid-refused' as const,
    place: label,
    expected: 'a success, as for other values that the document allows',
    seen: String(outcome.checked.status),
  };
  const about = { field: { in: field.in, name: fieldName(field) } };
  subject.report(outcome, `valid ${label}`, [problem], about);
};

/** Tries valid values of each field, at its boundaries above all, while the others stay short. */
export const testFields = async (subject: Subject): Promise<void> => {
  const [first] = subject.contents;
  const { operation, session } = subject;
  const parameters = operation.parameters
    .filter((parameter) => parameter.in !== 'path' && !isMomentary(parameter))
    .flatMap((parameter) => {
      const place = { in: parameter.in, name: parameter.name, path: [] };
      const options = parameterOptions(parameter, session.tools);
      return validField(place, parameterPlan(parameter), options);
    });
  const bodies = (operation.requestBody?.content ?? []).map(
    (content) => [content, bodyFields(subject, content)] as const,
  );
  const inFirst = [...parameters, ...(bodies[0]?.[1] ?? [])];
  for (const field of parameters) await testField(subject, first, field, inFirst);
  for (const [content, fields] of bodies) {
    for (const field of fields) {
      await testField(subject, content, field, [...parameters, ...fields]);
    }
  }
};
