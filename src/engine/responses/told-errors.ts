/** Bodies of errors in the members that a schema declares for them, found by the names that APIs give such members. */

import { pointerSteps } from '../../base/json-pointer';
import { isPlainObject } from '../../base/plain-object';
import type { ValidationError } from '../../http/http-error';
import type { Schema } from '../../model/schema';
import { planOf, type SamplePlan, wholeSchema } from '../../schema/samples/sample-plan';
import type { ErrorResponse } from '../media-types/error-form';

/** What there is to say of an error, or of one fault of a request: its sentences, and values by names in lower case, without `-` and `_`. */
interface Told {
  readonly sentences: readonly unknown[];
  readonly values: Readonly<Record<string, readonly unknown[]>>;
}

const nameKey = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '');

/** Names of lists of faults. */
const FAULTS =
  /^(?:errors?|details?|issues|violations|problems|faults|messages|reasons|causes|fielderrors|fieldviolations|validationerrors|invalidparams|invalidfields)$/;
/** Names of objects that an error, or the place of a fault, stands in. */
const HOLDERS = /^(?:error|fault|problem|source)$/;

const sentenceNames = [
  'message',
  'msg',
  'detail',
  'description',
  'reason',
  'title',
  'text',
  'error',
  'issue',
  'errormessage',
];
const placeNames = [
  'field',
  'property',
  'name',
  'param',
  'parameter',
  'target',
  'attribute',
  'key',
  'fieldname',
];

const alike = (names: readonly string[], ...values: readonly unknown[]) =>
  Object.fromEntries(names.map((name) => [name, values]));

const toldOfError = (
  { status, code, message, title, detail }: ErrorResponse,
  type: string,
): Told => ({
  sentences: [message, detail],
  values: {
    ...alike(sentenceNames, message),
    ...alike(['status', 'statuscode', 'httpstatus'], status, String(status)),
    ...alike(['code', 'errorcode'], code, status, String(status)),
    ...{ type: [type, code], title: [title ?? message], detail: [detail], instance: [] },
  },
});

const toldOfFault = (fault: ValidationError, { status, code, title }: ErrorResponse): Told => {
  const { in: place, path, message, rule = code } = fault;
  const isBody = place === 'body';
  const steps = isBody
    ? pointerSteps(path).map((step) => (/^\d+$/.test(step) ? Number(step) : step))
    : [path];
  const way = steps.join('.');
  return {
    sentences: [message],
    values: {
      ...alike(sentenceNames, message),
      title: [title ?? message],
      ...alike(['code', 'type', 'rule', 'keyword', 'errorcode'], rule),
      ...alike(placeNames, way),
      ...alike(['loc', 'location'], [place, ...steps], [place, ...steps.map(String)], place),
      ...{ path: [isBody ? path : way, steps], in: [place], status: [String(status), status] },
      ...alike(['pointer', 'instancepath', 'jsonpointer'], ...(isBody ? [path] : [])),
      ...{
        parameter: isBody || place === 'header' ? [] : [path],
        header: place === 'header' ? [path] : [],
      },
    },
  };
};

/** Returns the plan of the items of a list of faults; undefined where the property is none. */
const faultsPlan = (name: string, plan: SamplePlan): SamplePlan | undefined =>
  plan.type === 'array' && FAULTS.test(nameKey(name)) ? planOf(plan.itemAt(0) ?? []) : undefined;

/**
 * Tells whether a schema declares members of errors that the usual body does not have: a list of faults of another name or other
 * members, or nothing of the usual ones.
 */
export const hasOwnMembers = (plan: SamplePlan, usual: object): boolean => {
  if (plan.names.length === 0) return false;
  const innerOf = (name: string) => planOf(plan.propertyAt(name) ?? []);
  const hasOwnFaults = plan.names.some((name) => {
    const items = faultsPlan(name, innerOf(name));
    const isOurs =
      name === 'errors' &&
      (items?.names.length === 0 ||
        ['message', 'in', 'rule'].some((one) => items?.names.includes(one)));
    return items !== undefined && !isOurs;
  });
  return hasOwnFaults || !plan.names.some((name) => Object.hasOwn(usual, name));
};

/**
 * Makes the body of an error of the members that a schema declares; undefined where none of them takes its sentence.
 * @param accepts tells whether a value fits a schema
 * @param type the value of `type`
 */
export const toldError = (
  root: SamplePlan,
  error: ErrorResponse,
  accepts: (schema: Schema) => (value: unknown) => boolean,
  type: string,
): object | undefined => {
  const faults = error.errors.map((fault) => toldOfFault(fault, error));

  const objectOf = (plan: SamplePlan, told: Told): object | undefined => {
    let isTold = false;
    const members = plan.names.flatMap((name) => {
      const inner = planOf(plan.propertyAt(name) ?? []);
      const fits = accepts(wholeSchema(inner));
      const made = faultsOf(name, inner, told) ?? held(name, inner, told);
      const value = [
        ...(made === undefined ? [] : [made]),
        ...(told.values[nameKey(name)] ?? []),
      ].find(fits);
      isTold ||=
        told.sentences.includes(value) ||
        (value !== undefined && value === made && name !== 'source');
      if (value !== undefined) return [[name, value] as const];
      // A member of one value says nothing, and may be required.
      return inner.enumerated?.length === 1 ? [[name, inner.enumerated[0]] as const] : [];
    });
    return isTold ? Object.fromEntries(members) : undefined;
  };

  const faultsOf = (name: string, plan: SamplePlan, told: Told): unknown => {
    const items = faultsPlan(name, plan);
    if (items === undefined) return undefined;
    const all = (faults.length > 0 ? faults : [told]).map((one) =>
      items.names.length > 0 ? objectOf(items, one) : one.sentences[0],
    );
    return all.includes(undefined) ? undefined : all;
  };

  const held = (name: string, plan: SamplePlan, told: Told): object | undefined => {
    if (plan.names.length === 0 || !HOLDERS.test(nameKey(name))) return undefined;
    if (nameKey(name) !== 'source') return objectOf(plan, told);
    const entries = plan.names.flatMap((one) =>
      (told.values[nameKey(one)] ?? []).slice(0, 1).map((value) => [one, value]),
    );
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  };

  const body = objectOf(root, toldOfError(error, type));
  return isPlainObject(body) ? body : undefined;
};
