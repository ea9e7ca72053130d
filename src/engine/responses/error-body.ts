/** The bodies of errors, made to fit the schemas that a document declares for them. */

import { STATUS_CODES } from 'node:http';
import { pointerSteps, pointerTo } from '../../base/json-pointer';
import { lazy } from '../../base/memoize';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { attempt } from '../../base/recover';
import { type Diagnostic, warningOf } from '../../document/diagnostics/diagnostic';
import type { LoadedDocument } from '../../document/document';
import { noHeaders, type ValidationError } from '../../http/http-error';
import { type MediaType, type Operation, type Response, valuesOf } from '../../model/operation';
import { anySchema } from '../../model/schema';
import { planOf, type SamplePlan, typedValue } from '../../schema/samples/sample-plan';
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
import { hasOwnMembers, toldError } from './told-errors';

/** A body, and the places where it has values of a sample, since the schema asks for what errors do not have. */
interface FittedBody {
  readonly body: unknown;
  readonly sampled: readonly string[];
}

type Fits = (value: unknown) => boolean;

/** Lists the values of an error by the names that documents give them. */
const namedValues = (error: ErrorResponse): Readonly<Record<string, readonly unknown[]>> => {
  const { status, code, message, title = STATUS_CODES[status], detail, errors } = error;
  const [numbers, texts] = [[status, String(status)], [message]];
  const sentences = errors.map((error) => error.message);
  const listed =
    errors.length === 0
      ? []
      : [errors, sentences.map((sentence) => ({ message: sentence })), sentences];
  const single = [
    { status: String(status), code, title, detail, message },
    { code, message },
    { message },
  ];
  return {
    ...{ code: [status, code, String(status)], status: numbers, statusCode: numbers, type: [code] },
    ...{ message: texts, error: texts, description: texts, error_description: texts },
    ...{
      title: [title],
      detail: [detail],
      errors: [...listed, ...single.map((text) => [text]), texts],
    },
  };
};

/** Puts the values of an error in the place of those of a sample, where they fit; undefined where none does. */
const fillSample = (
  sample: unknown,
  root: SamplePlan,
  error: ErrorResponse,
  fitsRoot: Fits,
): FittedBody | undefined => {
  const values = namedValues(error);
  const sampled: string[] = [];
  let isTold = false;
  const fill = (value: unknown, plan: SamplePlan, fits: Fits, path: string): unknown => {
    if (!isPlainObject(value)) {
      sampled.push(path);
      return value;
    }
    const add = (object: PlainObject, name: string): PlainObject => {
      const fitsAt: Fits = (inner) => fits({ ...object, [name]: inner });
      const own = values[name]?.find(fitsAt);
      isTold ||= own !== undefined;
      if (own !== undefined) return { ...object, [name]: own };
      if (!(name in object)) return object;
      const inner = planOf(plan.propertyAt(name) ?? []);
      return { ...object, [name]: fill(object[name], inner, fitsAt, pointerTo(path, name)) };
    };
    return [...new Set([...Object.keys(value), ...plan.names])].reduce(add, value);
  };
  const body = fill(sample, root, fitsRoot, '');
  return isTold ? { body, sampled } : undefined;
};

/** Returns the form of errors in a media type of a content; undefined if it has none. */
export const errorFormIn = (mediaType: string, content: MediaType, tools: SchemaContext) =>
  errorFormOf(mediaType, tools.shapeOf(content.schema ?? anySchema), tools.codecs);

/** Makes the body of an error in a form; undefined where the schema has no place for any of it. */
export type MakeErrorBody = (form: ErrorForm, error: ErrorResponse) => FittedBody | undefined;

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

/**
 * Compiles the maker of the error bodies of a content: the form as it is, else without the members that the schema or one of its
 * branches refuses, else the example of the document, else a sample that says as much of the error as it can.
 */
export const errorBodyMaker = (content: MediaType, tools: SchemaContext): MakeErrorBody => {
  const { schema = anySchema, examples } = content;
  const { validators } = tools;
  const fits = validators.accepts(schema, 'response');
  const plan = planOf([schema]);
  const withListed = errorLister(tools.shapeOf(schema));
  const prune = (body: unknown): PlainObject[] =>
    [schema, ...plan.unions.flat()].flatMap((branch) => {
      const errors = validators.validatorOf(branch, 'response')(body);
      const wrong = new Set(errors.map(({ path }) => pointerSteps(path)[0]));
      const isSaid = (name: string) => name in Object(body) && !wrong.has(name);
      if (!isPlainObject(body) || !['message', 'detail'].some(isSaid)) return [];
      return [Object.fromEntries(Object.entries(body).filter(([name]) => !wrong.has(name)))];
    });
  const exampleOf = lazy(() =>
    valuesOf(examples).map(typedValue(schema, tools.shapeOf)).find(fits),
  );
  const sampleOf = lazy(() => {
    for (const sample of sampleSeries(schema, tools)) if (fits(sample)) return { sample };
    return undefined;
  });
  const ownMembers = (form: ErrorForm, usual: unknown, error: ErrorResponse) => {
    if (!isPlainObject(usual) || !hasOwnMembers(plan, usual)) return undefined;
    const type = form === 'problem' ? 'about:blank' : error.code;
    return toldError(plan, error, (one) => validators.accepts(one, 'response'), type);
  };
  return (form, given) => {
    const error = withListed(given);
    const usual = errorBody(form, error, false);
    const told = ownMembers(form, usual, given);
    if (told !== undefined && fits(told)) return { body: told, sampled: [] };
    if (fits(usual)) return { body: usual, sampled: [] };
    const bare = { ...error, errors: error.errors.map(withoutRules) };
    const bodies = [error, bare].flatMap((one) =>
      [false, true].map((isListed) => errorBody(form, one, isListed)),
    );
    const body = bodies.find(fits) ?? bodies.flatMap(prune).find(fits) ?? exampleOf();
    if (body !== undefined) return { body, sampled: [] };
    const sampled = sampleOf();
    return sampled && fillSample(sampled.sample, plan, error, fits);
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
