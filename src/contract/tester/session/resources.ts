/** Gives requests the resources that they need: path parameters of what is really there, made where need be. */

import { isNumeric } from '../../../base/exact-number';
import { valueAt } from '../../../base/json-pointer';
import { isPlainObject } from '../../../base/plain-object';
import {
  type Creation,
  creationOf,
  type ItemPath,
  identityName,
  itemPathsOf,
  listingOf,
  replacedAt,
} from '../../../document/resources/item-paths';
import type { ApiDocument, SchemaContext } from '../../../engine';
import { headerParameter, type Operation, type Parameter } from '../../../model/operation';
import { headerOf } from '../../../requests/http-client';
import type { RequestCase } from '../../../requests/request-case';
import type { CaseOutcome } from '../checks/check-answer';
import { unknownTag } from '../values/case-arbitrary';
import { withFreshKey, withHeaderValue } from './request-headers';

/** Values of path parameters. */
export type PathValues = Readonly<Record<string, unknown>>;

/** Makes a resource by an operation; undefined where that does not succeed. */
export type Make = (
  operation: Operation,
) => Promise<{ readonly input: RequestCase; readonly outcome: CaseOutcome } | undefined>;

/** Reads what an operation of this path would act on; undefined where nothing can be read. */
export type ReadResource = (path: string, values: PathValues) => Promise<CaseOutcome | undefined>;

/**
 * The value in a body that names the resource; undefined where it is missing.
 * @param names the properties that the document declares; where it declares none those of the body
 */
export const identityIn = (parameter: string, body: unknown, names: Iterable<string> = []) => {
  if (!isPlainObject(body)) return undefined;
  const declared = [...names];
  const known = declared.length > 0 ? declared : Object.keys(body);
  const name = identityName(parameter, known) ?? (known.includes('id') ? 'id' : undefined);
  const value = name === undefined ? undefined : body[name];
  return (typeof value === 'string' && value !== '') || isNumeric(value) ? value : undefined;
};

/** The items of a list, or of the only list in an object. */
export const listedItems = (body: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(body)) return body;
  if (!isPlainObject(body)) return undefined;
  const [list, ...others] = Object.values(body).filter((value) => Array.isArray(value));
  return others.length === 0 ? list : undefined;
};

/** Finds the identity of a created resource: in the response, in its Location, or in the request. */
export const createdIdentity = (
  { pointer }: Pick<Creation, 'pointer'>,
  parameter: string,
  { outcome, input }: { readonly outcome: CaseOutcome; readonly input: RequestCase },
  tools: SchemaContext,
): unknown => {
  const { body } = outcome.checked;
  if (pointer !== undefined) return valueAt(body?.value, pointer);
  const inResponse = identityIn(parameter, body?.value, body?.shape.properties.keys());
  if (inResponse !== undefined) return inResponse;
  // The last segment of where the new resource is (RFC 9110 section 10.2.2).
  const location = outcome.sent.answer && headerOf(outcome.sent.answer, 'location');
  const steps = location?.replace(/[?#].*$/, '').split('/');
  const segment = steps?.findLast((step) => step !== '');
  if (segment !== undefined) return decodeURIComponent(segment);
  const schema = input.body?.content.schema;
  const names = schema ? tools.shapeOf(schema).properties.keys() : [];
  return identityIn(parameter, input.body?.value, names);
};

export class KnownResources {
  readonly #document: ApiDocument;
  readonly #tools: SchemaContext;
  readonly #make: Make;
  readonly #read: ReadResource;
  readonly #known = new Map<string, PathValues>();
  readonly #failures = new Map<string, number>();
  /** Item paths that are being made: a path that needs itself has nothing to begin with. */
  readonly #making = new Set<string>();

  constructor(document: ApiDocument, tools: SchemaContext, make: Make, read: ReadResource) {
    this.#document = document;
    this.#tools = tools;
    this.#make = make;
    this.#read = read;
  }

  /** Forgets what turned out not to be there (any more). */
  forget(path: string): void {
    for (const { item } of itemPathsOf(path)) this.#known.delete(item);
  }

  async #valueFor(itemPath: ItemPath, isConsumed: boolean): Promise<PathValues> {
    const { item } = itemPath;
    const known = this.#known.get(item);
    if (known !== undefined && !isConsumed) return known;
    const failures = this.#failures.get(item) ?? 0;
    // The number of failures in a row after which a resource is no longer tried.
    const mostFailures = 3;
    if (this.#making.has(item) || failures >= mostFailures) return {};
    this.#making.add(item);
    try {
      const creation = creationOf(this.#document, itemPath);
      const creating = creation && (await this.#make(creation.operation));
      const created =
        creating && createdIdentity(creation, itemPath.parameter, creating, this.#tools);
      const value = created ?? (await this.#find(itemPath));
      this.#failures.set(item, value === undefined ? failures + 1 : 0);
      if (value === undefined) return {};
      const values = { [itemPath.parameter]: value };
      if (!isConsumed) this.#known.set(item, values);
      return values;
    } finally {
      this.#making.delete(item);
    }
  }

  async #find(itemPath: ItemPath): Promise<unknown> {
    const listing = listingOf(this.#document, itemPath);
    const listed = listing && (await this.#make(listing));
    const body = listed?.outcome.checked.body;
    const [first] = listedItems(body?.value) ?? [];
    return identityIn(itemPath.parameter, first, body?.shape.items?.properties.keys());
  }

  /**
   * The case with the path parameters and the identity in the body that lead to a resource.
   * @param except `path NAME` or `body NAME`: left as it is, because it is what is being tested
   * @param lookUp whether a resource is looked for
   * @param otherwise the path parameters to take; the case's own where nothing is known
   */
  async pin(
    input: RequestCase,
    except: string | undefined,
    lookUp: boolean,
    otherwise: PathValues = {},
  ): Promise<RequestCase> {
    const { operation, parameters } = input;
    const { path, method } = operation;
    // Parameters of which nothing is known are left out.
    let found: PathValues = lookUp ? {} : otherwise;
    for (const itemPath of lookUp ? itemPathsOf(path) : []) {
      const isConsumed = method === 'delete' && itemPath.item === path;
      found = { ...found, ...(await this.#valueFor(itemPath, isConsumed)) };
    }
    const kept = Object.entries(parameters.path).filter(([name]) => except === `path ${name}`);
    return this.pinTo(input, { ...found, ...Object.fromEntries(kept) }, except);
  }

  /** The case with these path parameters, the same identity in its body, and headers that are right at the moment. */
  async pinTo(input: RequestCase, values: PathValues, except?: string): Promise<RequestCase> {
    const { parameters } = input;
    const path = { ...parameters.path, ...values };
    const pinned = { ...input, parameters: { ...parameters, path } };
    return this.#withConditions(await this.#withIdentity(pinned, except), except);
  }

  async #withIdentity(input: RequestCase, except: string | undefined): Promise<RequestCase> {
    const { operation, parameters, body } = input;
    const replaced = replacedAt(this.#document, operation);
    if (replaced === undefined || !isPlainObject(body?.value)) return input;
    const { parameter } = replaced;
    const name =
      operation.requestBody?.identifier ?? identityName(parameter, Object.keys(body.value));
    if (name === undefined || except === `body ${name}`) return input;
    const identity =
      parameters.path[parameter] ?? (await this.#valueFor(replaced, false))[parameter];
    if (identity === undefined) return input;
    return { ...input, body: { ...body, value: { ...body.value, [name]: identity } } };
  }

  /** The case with a fresh key, the ETag of what it acts on in If-Match, and an unknown one in If-None-Match. */
  async #withConditions(input: RequestCase, except: string | undefined): Promise<RequestCase> {
    const { operation, parameters } = input;
    const { accepts } = this.#tools.validators;
    const key = headerParameter(operation, 'idempotency-key');
    const match = headerParameter(operation, 'if-match');
    const noneMatch = headerParameter(operation, 'if-none-match');
    const isSent = (parameter: Parameter): boolean =>
      except !== `header ${parameter.name}` && Object.hasOwn(parameters.header, parameter.name);
    // 428 says that the condition is required after all (RFC 6585 section 3).
    const isRequired = operation.responses.some(({ key: status }) => status === '428');
    let changed = key && isSent(key) ? withFreshKey(input, this.#tools) : input;
    if (match && (isSent(match) || (isRequired && except !== `header ${match.name}`))) {
      const tag = (await this.entityTag(input)) ?? unknownTag;
      const fits = accepts(match.schema, 'request')(tag);
      changed = fits ? withHeaderValue(changed, match, tag) : changed;
    }
    const isRead = noneMatch && operation.method === 'get' && isSent(noneMatch);
    return isRead && accepts(noneMatch.schema, 'request')(unknownTag)
      ? withHeaderValue(changed, noneMatch, unknownTag)
      : changed;
  }

  /** Reads the ETag of what a request acts on. */
  async entityTag(input: RequestCase): Promise<string | undefined> {
    const { answer } = (await this.target(input))?.sent ?? {};
    return answer && headerOf(answer, 'etag');
  }

  /** Reads what a request acts on, at its path or at the item that it names: with an ETag, where there is one. */
  async target({ operation, parameters, body }: RequestCase): Promise<CaseOutcome | undefined> {
    const item = replacedAt(this.#document, operation) ?? itemPathsOf(operation.path).at(-1);
    const members = isPlainObject(body?.value) ? body.value : {};
    const name = item && identityName(item.parameter, Object.keys(members));
    const named = item && name ? { [item.parameter]: members[name] } : {};
    const values = { ...named, ...parameters.path };
    const found: CaseOutcome[] = [];
    for (const path of new Set([operation.path, item?.item ?? operation.path])) {
      const read = await this.#read(path, values);
      const { answer } = read?.sent ?? {};
      if (read === undefined || answer?.status !== 200) continue;
      if (headerOf(answer, 'etag') !== undefined) return read;
      found.push(read);
    }
    return found[0];
  }
}
