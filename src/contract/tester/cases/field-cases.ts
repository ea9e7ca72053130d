/** Valid values of one field after the other: where some are taken, others that the document allows must be, too. */

import fc from 'fast-check';
import { identityName, itemPathsOf, replacedAt } from '../../../document/resources/item-paths';
import { itemsOf } from '../../../engine';
import type { MediaType } from '../../../model/operation';
import { fieldSchema } from '../../../requests/item-contents';
import type { RequestCase } from '../../../requests/request-case';
import { planOf, type SamplePlan } from '../../../schema/samples/sample-plan';
import { type CaseOutcome, isSuccess } from '../checks/check-answer';
import { isMomentary } from '../session/request-headers';
import type { Subject } from '../session/subject';
import {
  bodyOptions,
  type FieldReplacement,
  parameterOptions,
  parameterPlan,
} from '../values/case-arbitrary';
import { isKnownFormat } from '../values/texts';
import { type ValueOptions, valueArbitrary } from '../values/values';

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
  return values.length === 0 ? [] : [{ ...place, branches: [], plan, value: fc.oneof(...values) }];
};

const bodyFields = ({ session: { tools } }: Subject, content: MediaType): ValidField[] => {
  const above = itemsOf(content) === undefined ? [] : ['*'];
  const plan = planOf([fieldSchema(content)]);
  return plan.names.flatMap((name) => {
    const schemas = plan.propertyAt(name);
    const inner = planOf(schemas ?? []);
    if (schemas === undefined || inner.isMarked('readOnly')) return [];
    const place = { in: 'body', name: '', path: [...above, name] } as const;
    return validField(place, inner, bodyOptions(tools));
  });
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

/** Tries some values of a field. Resolves to the number of different requests that succeeded, and the shortest that was refused. */
const tryCases = async (subject: Subject, field: ValidField, cases: readonly RequestCase[]) => {
  const accepted = new Set<string>();
  const refused: CaseOutcome[] = [];
  for (const input of cases) {
    const prepared = await subject.prepare(input, field);
    const written = subject.write(prepared);
    if (subject.session.isOver || written?.isValid !== true) continue;
    const outcome = await subject.sendPrepared(prepared);
    if (outcome === undefined) continue;
    subject.report(outcome, `valid ${fieldLabel(field)}`);
    if (isSuccess(outcome)) accepted.add(`${written.request.target} ${written.request.body}`);
    // Statuses that say: this is not valid.
    if ([400, 405, 422].includes(outcome.checked.status ?? 0)) refused.push(outcome);
  }
  const lengthOf = ({ sent: { request } }: CaseOutcome): number =>
    request.target.length + (request.body?.length ?? 0);
  const [shortest] = refused.toSorted((one, other) => lengthOf(one) - lengthOf(other));
  return { accepted: accepted.size, refused: shortest };
};

const fieldLabel = (field: ValidField): string => `${field.in} ${fieldName(field)}`;

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
  const some = subject.samples(cases, session.times(3, 10, 50), 'field', content?.key ?? '', label);
  const { accepted, refused } = await tryCases(subject, field, some);
  // The others of the request have values of their own, which may be what is refused.
  // Only the server knows what such a text must be.
  const hasUnknownFormat = ({ plan }: ValidField): boolean =>
    !isKnownFormat(plan.format) || plan.parts.some(({ extensions }) => extensions.has('x-precis'));
  const isOwnBusiness = isReference(subject, field) || fields.some(hasUnknownFormat);
  if (refused === undefined || accepted < 2 || isOwnBusiness) return;
  const problem = {
    rule: 'valid-refused' as const,
    place: label,
    expected: 'a success, as for other values that the document allows',
    seen: String(refused.checked.status),
  };
  const about = { field: { in: field.in, name: fieldName(field) } };
  subject.report(refused, `valid ${label}`, [problem], about);
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
