/** The bodies of errors, made to fit the schemas that a document declares for them. */

import { STATUS_CODES } from 'node:http';
import { pointerSteps, pointerTo } from '../../base/json-pointer';
import { lazy, memoize } from '../../base/memoize';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { attempt } from '../../base/recover';
import { type Diagnostic, warningOf } from '../../document/diagnostics/diagnostic';
import type { LoadedDocument } from '../../document/document';
import { noHeaders, type ValidationError } from '../../http/http-error';
import { type MediaType, type Operation, type Response, valuesOf } from '../../model/operation';
import { anySchema, type Schema } from '../../model/schema';
import { planOf, type SamplePlan, typedValue, wholeSchema } from '../../schema/samples/sample-plan';
import { sampleSeries } from '../../schema/samples/sample-value';
import type { Shape } from '../../schema/shape';
import { standInOf } from '../media-types/codecs';
import {
  type ErrorForm,
  type ErrorResponse,
  errorBody,
  errorFormOf,
} from '../media-types/error-form';
import type { SchemaContext } from '../media-types/schema-context';

interface FittedBody {
  readonly body: unknown;
  /** The places where it has values of a sample, since the schema asks for what errors do not have. */
  readonly sampled: readonly string[];
  /** True where it says something of the error. */
  readonly isTold: boolean;
}

/** The values of an error for the places of a body, by their names; of several the first that fits is taken. */
type Values = readonly (readonly [place: RegExp, values: readonly unknown[]])[];

const stepsTo = ({ in: place, path }: ValidationError): readonly string[] =>
  pointerSteps(place === 'body' ? path : `/${path}`);

const errorValues = (form: ErrorForm, error: ErrorResponse): Values => {
  const { status, code, message, title = STATUS_CODES[status], detail, errors } = error;
  const sentences = errors.map((fault) => fault.message);
  const byField = errors.map((fault) => [stepsTo(fault).join('.'), [fault.message]]);
  const lists = [errors, sentences, Object.fromEntries(byField)];
  return [
    [/\/(error[-_]?)?code$/i, [status, code, String(status)]],
    [/\/(http[-_]?)?status([-_]?code)?$/i, [status, String(status)]],
    [/\/type$/i, form === 'problem' ? ['about:blank', code] : [code]],
    [/\/(msg|reason|error|(error[-_]?)?(message|description))$/i, [message]],
    [/\/title$/i, [title]],
    [/\/detail$/i, [detail, sentences]],
    [/\/(errors|details|messages)$/i, errors.length === 0 ? [[message], []] : lists],
    [/\/(success|ok)$/i, [false]],
  ];
};

const faultValues = (fault: ValidationError): Values => {
  const { in: place, path, message, rule, allowed, got } = fault;
  const steps = stepsTo(fault);
  const indexed = steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const [inBody, inHeader] = [place === 'body', place === 'header'];
  return [
    [/\/source\/pointer$/i, inBody ? [path] : []],
    [/\/source\/parameter$/i, inBody || inHeader ? [] : [path]],
    [/\/source\/header$/i, inHeader ? [path] : []],
    [/\/pointer$/i, inBody ? [`#${path}`, path] : []],
    [/\/loc$/i, [indexed, steps].map((one) => [place, ...one])],
    [/\/path$/i, [path, indexed, steps]],
    [/\/(in|location)$/i, [place]],
    [
      /\/(field([-_]?name)?|name|property|attribute|param|parameter|target|key)$/i,
      [steps.join('.')],
    ],
    [/\/((error[-_]?)?message|msg|reason|error|description|details?|issue)$/i, [message]],
    [/\/(errors|messages)$/i, []],
    [/\/(type|(error[-_]?)?code|rule|keyword)$/i, [rule]],
    [/\/allowed$/i, [allowed]],
    [/\/got$/i, [got]],
  ];
};

/** The places of what is made to say more, though it is not required: one object around all, lists of faults, and their sources. */
const telling =
  /^(\/error)?\/(?!inner)[^/]*(error|fault|detail|issue|violation|invalid|problem)[^/]*$|\/0\/source$/i;

interface Place {
  readonly path: string;
  readonly values: Values;
  fits(value: unknown): boolean;
}

/** Makes the function that puts the values of an error in the place of those of a sample, where they fit. */
const sampleFiller = (
  { errors }: ErrorResponse,
  sampleOf: (schema: Schema) => unknown,
  { validators }: SchemaContext,
) => {
  // An error without faults is one itself.
  const faults: readonly Values[] =
    errors.length > 0 ? errors.map(faultValues) : [[[/\/loc$/, [[]]]]];
  const fillList = (list: readonly unknown[], plan: SamplePlan, place: Place): FittedBody => {
    const plans = [plan, ...plan.unions.flat().map((branch) => planOf([branch]))];
    const item = planOf(plans.flatMap((one) => one.itemAt(0) ?? []));
    const schema = wholeSchema(item);
    const sample = list[0] ?? sampleOf(schema);
    const path = `${place.path}/0`;
    const fits = validators.accepts(schema, 'response');
    const items = (isPlainObject(sample) ? faults : [])
      .slice(0, plan.maxItems)
      .map((fault) => fill(sample, item, { path, values: [...fault, ...place.values], fits }));
    const body = items.map((one) => one.body);
    const isTold = items.some((one) => one.isTold) && place.fits(body);
    return { body: isTold ? body : list, sampled: items[0]?.sampled ?? [place.path], isTold };
  };
  /** Fills a member, or makes one: lists of faults by their items, all else by its name before it is looked into. */
  const fillMember = (sample: unknown, plan: SamplePlan, place: Place): FittedBody => {
    const { path, values, fits } = place;
    const isMade = telling.test(path) && (errors.length > 0 || path.lastIndexOf('/') === 0);
    const value = sample ?? (isMade ? sampleOf(wholeSchema(plan)) : undefined);
    const filled = fill(value, plan, place);
    if (filled.isTold && Array.isArray(value)) return filled;
    const [, own = []] = values.find(([at]) => at.test(path)) ?? [];
    const body = own.find((one) => one !== undefined && fits(one));
    return body === undefined ? filled : { body, sampled: [], isTold: true };
  };
  const fill = (value: unknown, plan: SamplePlan, place: Place): FittedBody => {
    if (Array.isArray(value)) return fillList(value, plan, place);
    // A value that the schema leaves no choice of is meant.
    let isTold = plan.enumerated?.length === 1;
    if (!isPlainObject(value)) return { body: value, sampled: isTold ? [] : [place.path], isTold };
    let body: PlainObject = value;
    const sampled: string[] = [];
    for (const name of new Set([...Object.keys(value), ...plan.names])) {
      const member = fillMember(body[name], planOf(plan.propertyAt(name) ?? []), {
        path: pointerTo(place.path, name),
        values: place.values,
        fits: (one) => place.fits({ ...body, [name]: one }),
      });
      if (!member.isTold && !(name in value)) continue;
      body = { ...body, [name]: member.body };
      sampled.push(...member.sampled);
      isTold ||= member.isTold;
    }
    return { body, sampled, isTold };
  };
  return fill;
};

/** Returns the form of errors in a media type of a content; undefined if it has none. */
export const errorFormIn = (mediaType: string, content: MediaType, tools: SchemaContext) =>
  errorFormOf(mediaType, tools.shapeOf(content.schema ?? anySchema), tools.codecs);

const withoutRules = ({ in: place, path, message }: ValidationError): ValidationError => ({
  in: place,
  path,
  message,
});

/**
 * Makes the function that leaves out of the listed errors the rules that a schema does not name, where it names members of errors: its
 * author has chosen them. A schema that says nothing of them gets all.
 */
const errorLister = ({ properties }: Shape): ((error: ErrorResponse) => ErrorResponse) => {
  const named = properties.get('errors')?.items?.properties;
  if (named === undefined || named.size === 0) return (error) => error;
  if ([...named.keys()].every((name) => ['in', 'path', 'message'].includes(name))) {
    return (error) => ({ ...error, errors: error.errors.map(withoutRules) });
  }
  const listed = ({ in: place, path, message, ...rules }: ValidationError): ValidationError => {
    const kept = Object.entries(rules).filter(([name]) => named.has(name));
    return { in: place, path, message, ...Object.fromEntries(kept) };
  };
  return (error) => ({ ...error, errors: error.errors.map(listed) });
};

const hasOwnFaults = ({ properties }: Shape): boolean =>
  [...properties].some(([name, { items }]) => {
    const usual = name === 'errors' ? ['in', 'path', 'message', 'rule', 'allowed', 'got'] : [];
    const members = [...(items?.properties.keys() ?? [])];
    return telling.test(`/${name}`) && members.some((member) => !usual.includes(member));
  });

/**
 * Compiles the maker of the error bodies of a content, which gives undefined where the schema has no place for any of it: the form as it is, else without the members that the schema or one of its
 * branches refuses, else a sample that says of the error all that is needed, else the example of the document, else a sample that says as
 * much as it can. Where the schema has a form of its own the samples go first.
 */
export const errorBodyMaker = (content: MediaType, tools: SchemaContext) => {
  const { schema = anySchema, examples } = content;
  const { validators } = tools;
  const fits = validators.accepts(schema, 'response');
  const plan = planOf([schema]);
  const shape = tools.shapeOf(schema);
  const withListed = errorLister(shape);
  const names = [...shape.properties.keys()];
  const hasForm = lazy(() => hasOwnFaults(shape));
  const prune = (body: unknown): PlainObject[] =>
    [schema, ...plan.unions.flat()].flatMap((branch) => {
      const errors = validators.validatorOf(branch, 'response')(body);
      const wrong = new Set(errors.map(({ path }) => pointerSteps(path)[0]));
      const isSaid = (name: string) => name in Object(body) && !wrong.has(name);
      if (!isPlainObject(body) || !['message', 'detail'].some(isSaid)) return [];
      return [Object.fromEntries(Object.entries(body).filter(([name]) => !wrong.has(name)))];
    });
  const whole = (body: unknown): FittedBody | undefined =>
    body === undefined ? undefined : { body, sampled: [], isTold: true };
  const example = lazy(() =>
    whole(valuesOf(examples).map(typedValue(schema, tools.shapeOf)).find(fits)),
  );
  const sampleOf = memoize((part: Schema): unknown => {
    const fitsPart = validators.accepts(part, 'response');
    for (const sample of sampleSeries(part, tools)) if (fitsPart(sample)) return sample;
    return undefined;
  });
  return (form: ErrorForm, given: ErrorResponse): FittedBody | undefined => {
    const error = withListed(given);
    const first = errorBody(form, error, false);
    const isNamed = names.length === 0 || names.some((name) => name in Object(first));
    const isUsual = isNamed && (given.errors.length === 0 || !hasForm());
    if (isUsual && fits(first)) return whole(first);
    const usual = () => {
      const bare = { ...error, errors: error.errors.map(withoutRules) };
      const bodies = [error, bare].flatMap((one) =>
        [false, true].map((isListed) => errorBody(form, one, isListed)),
      );
      return whole(bodies.find(fits) ?? bodies.flatMap(prune).find(fits));
    };
    const filled = lazy(() => {
      const place = { path: '', values: errorValues(form, given), fits };
      const body = sampleFiller(given, sampleOf, tools)(sampleOf(schema), plan, place);
      return body.isTold ? body : undefined;
    });
    const full = () => (filled()?.sampled.length === 0 ? filled() : undefined);
    for (const make of [...(isUsual ? [usual] : []), full, example, filled, usual]) {
      const made = make();
      if (made !== undefined) return made;
    }
    return undefined;
  };
};

/** Lists the responses for errors. */
export const errorResponses = ({ responses }: Operation): readonly Response[] => {
  const hasSuccess = responses.some(({ key }) => /^[23]/.test(key));
  return responses.filter(({ key }) => /^[45]/.test(key) || (key === 'default' && hasSuccess));
};

/**
 * Finds responses that ask for what errors do not have, one step for each operation. Compiles the validators of their schemas.
 * @example for (const problems of errorProblems(document, tools)) report(problems);
 */
export function* errorProblems(
  { operations, locate }: Pick<LoadedDocument, 'operations' | 'locate'>,
  tools: SchemaContext,
): Generator<readonly Diagnostic[]> {
  const sampledIn = ({ key, content, description }: Response): readonly string[] => {
    const status = Number(key.replace('XX', '00').replace('default', '500'));
    const texts = { message: description, title: description, detail: description };
    const error = { status, code: 'declared', headers: noHeaders, errors: [], ...texts } as const;
    const placesIn = (content: MediaType): readonly string[] => {
      const form = attempt(() => errorFormIn(standInOf(content, tools.shapeOf), content, tools));
      if (form === undefined) return [];
      return attempt(() => errorBodyMaker(content, tools)(form, error))?.sampled ?? ['the body'];
    };
    return [...new Set(content.flatMap(placesIn))];
  };
  const seen = new Set<string>();
  for (const operation of operations) {
    yield errorResponses(operation).flatMap((response) => {
      const { key, pointer } = response;
      const places = seen.size === seen.add(pointer).size ? [] : sampledIn(response);
      const message = `Errors have no value for ${places.join(', ')}, and the server makes one of the schema where it can. Give the response an example, or do not require it.`;
      const at = pointerTo(`${operation.pointer}/responses`, key);
      return places.length === 0 ? [] : [locate(warningOf('error-schema')(at, message, true))];
    });
  }
}
