/** Makes handlers from a model: each operation that has none yet is answered by a mock; and security handlers that accept any credential. */

import type { IncomingHttpHeaders } from 'node:http';
import { lazy } from '../base/memoize';
import { isPlainObject, type PlainObject } from '../base/plain-object';
import { attempt } from '../base/recover';
import { runInSteps } from '../base/run-in-steps';
import type { Diagnostic } from '../document/diagnostics/diagnostic';
import { templateNames } from '../document/read/templates';
import { identityName, itemPathsOf, plain } from '../document/resources/item-paths';
import type {
  ApiDocument,
  SchemaContext,
  SecurityHandlers,
  ServiceOptions,
  UntypedHandler,
} from '../engine';
import type { Principal } from '../http/caller';
import { mockHeader } from '../http/send';
import type { Model } from '../model/document';
import type { Operation } from '../model/operation';
import { compileConditions, longestDelay, type MockOptions, pause } from './conditions';
import { type MemoryOptions, openMemory } from './memory/memory';
import { compileEqualExamples } from './samples/equal-examples';
import { exampleProblems } from './samples/example-errors';
import { compileOffers, type MockResponse, mockOf, type Offer } from './samples/mock';
import { type Preferences, preferenceApplied, preferencesIn } from './samples/preferences';

/** Writes what a path names as another value is written. */
const alike = (other: unknown, given: unknown): unknown => {
  const text = String(given);
  if (typeof other === 'bigint') return attempt(() => BigInt(text));
  return typeof other === 'number' ? Number(text) : text;
};

/** Compiles what gives samples the values of path parameters: the item at the path its identity, and members of a parameter's name. */
const compileNaming = ({ path: template }: Operation, tools: SchemaContext) => {
  const parameters = templateNames(template);
  const own = itemPathsOf(template).find(({ item }) => item === template)?.parameter;
  return (response: MockResponse, path: PlainObject, { content }: Offer): MockResponse => {
    const { body } = response;
    const { schema, examples } = content;
    // What an author has written stays as it is.
    if (schema === undefined || examples.length > 0 || !isPlainObject(body)) return response;
    const names = Object.keys(body);
    const members = parameters.flatMap((parameter) => {
      const same = names.find((name) => plain(name) === plain(parameter) && plain(name) !== 'id');
      const name = same ?? (parameter === own ? identityName(parameter, names) : undefined);
      return name === undefined ? [] : [[name, alike(body[name], path[parameter])] as const];
    });
    const named = { ...body, ...Object.fromEntries(members) };
    return tools.validators.accepts(schema, 'response')(named)
      ? { ...response, body: named }
      : response;
  };
};

/** Adds headers to a response. */
const withHeaders = (
  response: MockResponse,
  headers: Readonly<Record<string, string>>,
): MockResponse => ({ ...response, headers: { ...response.headers, ...headers } });

/** Makes the handler that stands in for one of an operation; what it needs is made at its first use. */
const mockHandler = (
  operation: Operation,
  tools: SchemaContext,
  remember: () => ReturnType<typeof openMemory> | undefined,
  conditions: ReturnType<typeof compileConditions>,
): UntypedHandler => {
  const made = lazy(() => {
    const offerFor = compileOffers(operation.responses, tools);
    const sample = mockOf(operation, offerFor, tools);
    const withNames = compileNaming(operation, tools);
    const answer = ({ client, path }: Parameters<UntypedHandler>[0]) => {
      const { accept }: IncomingHttpHeaders = client.headers;
      const { response } = sample(accept);
      const offer = offerFor(response.status, accept);
      return offer === undefined ? response : withNames(response, path, offer);
    };
    const remembered = remember()?.answersOf(operation, offerFor, sample);
    const isRemembered = remembered !== undefined;
    // Another rule reports a schema that cannot be used.
    const equalTo = attempt(() => compileEqualExamples(operation, offerFor, isRemembered, tools));
    return { sample, equalTo, answer: remembered ?? answer };
  });
  const respond = async (
    request: Parameters<UntypedHandler>[0],
    preferred: Preferences,
    fault: number | undefined,
  ) => {
    const { accept }: IncomingHttpHeaders = request.client.headers;
    const { sample, equalTo, answer } = made();
    if (preferred.code !== undefined || preferred.example !== undefined) {
      const { response, example } = sample(accept, preferred);
      // An example that does not fit its schema gives way to another.
      const followed = example === preferred.example ? example : undefined;
      return withHeaders(response, preferenceApplied({ ...preferred, example: followed }));
    }
    if (fault !== undefined) {
      return withHeaders(sample(accept, { code: fault }).response, { [mockHeader]: 'fault' });
    }
    const named = equalTo?.(request);
    const response = named === undefined ? await answer(request) : sample(accept, named).response;
    return preferred.wait === undefined
      ? response
      : withHeaders(response, preferenceApplied(preferred));
  };
  const handler: UntypedHandler = async (request) => {
    // A wrong item is refused, as a whole body is that does not fit.
    const { body } = request;
    if (Symbol.asyncIterator in Object(body)) for await (const _ of body as AsyncIterable<unknown>);
    const preferred = preferencesIn(request.client.headers);
    const { milliseconds, fault } = conditions.next(operation);
    const pausing = Math.min(milliseconds, 1000 * (preferred.wait ?? longestDelay));
    if (pausing === 0) return respond(request, preferred, fault);
    // What a request changes is changed when it comes, so that requests keep their order.
    const paused = pause(pausing, request.client);
    try {
      return await respond(request, preferred, fault);
    } finally {
      await paused;
    }
  };
  return Object.assign(handler, {
    prepare: () => made().sample(undefined),
    takesPatches: () => remember()?.roleOf(operation) === 'patch',
  });
};

/**
 * Makes mocks of the operations without a handler.
 * @param written handlers by operationId
 * @param memory what mocks remember; false: nothing
 * @throws TypeError where an option cannot be used
 */
export const openMocks = (
  document: ApiDocument,
  written: ServiceOptions['handlers'],
  tools: SchemaContext,
  memory: MemoryOptions | false = {},
  options: MockOptions = {},
) => {
  const { seed = 1, ...others }: MemoryOptions = memory === false ? {} : memory;
  if ('file' in others) {
    throw new TypeError(
      'The option memory has no file: mocks remember until the process ends. Their first items are the examples of the document; what has to stay is kept by handlers with a database.',
    );
  }
  const conditions = compileConditions(options, seed);
  // Where two operations have one id, the first one has the handler.
  const byId = new Map(
    document.operations.toReversed().map((operation) => [operation.operationId, operation]),
  );
  const operations = document.operations.filter(
    (operation) =>
      byId.get(operation.operationId) !== operation || !written.has(operation.operationId),
  );
  // A large document takes its time, which is spent when the first operation is compiled.
  const remember = lazy(() =>
    memory === false ? undefined : openMemory(document, new Set(operations), tools, memory),
  );
  const mocks = [...byId].map(
    ([operationId, operation]) =>
      [operationId, mockHandler(operation, tools, remember, conditions)] as const,
  );
  function* steps(report: (problem: Diagnostic) => void): Generator<void> {
    for (const problems of exampleProblems(document, tools)) {
      for (const problem of problems) report(problem);
      yield;
    }
  }
  return {
    /** The operations that they answer. */
    operations,
    /** All handlers, by operationId: those that are written, and mocks. */
    handlers: new Map([...mocks, ...written]),
    /** Answers `DELETE /__state`, which resets their memory. */
    answerFirst(method: string, path: string) {
      if (method !== 'DELETE' || path !== '/__state') return undefined;
      conditions.reset();
      return remember()?.reset();
    },
    /**
     * Finds examples that do not fit their schemas, between requests; this takes as long as compiling the operations.
     * @param signal stops it
     */
    checkExamples: (report: (problem: Diagnostic) => void, signal: AbortSignal | undefined) =>
      runInSteps(steps(report), signal),
  };
};

/**
 * Makes security handlers that accept every credential of a declared kind, with all scopes, for a document without data to protect. A
 * bearer token, and the name of basic authentication, count as the login of the user of that name.
 * @example openApiRouter('shop.yaml', {}, mockCredentials(await loadApiDocument('shop.yaml')), { mocks: true })
 */
export const mockCredentials = ({
  operations,
  securitySchemes,
}: Pick<Model, 'operations' | 'securitySchemes'>): SecurityHandlers => {
  const schemes = [...securitySchemes.values()];
  const declared = schemes.flatMap((scheme) =>
    scheme.type === 'oauth2'
      ? Object.values(scheme.flows).flatMap(({ scopes }) => Object.keys(scopes))
      : [],
  );
  // Operations may also require roles.
  const required = operations.flatMap(({ security }) =>
    security.flatMap(Object.values<readonly string[]>).flat(),
  );
  const principal = (username: string | undefined): Principal => ({
    username,
    subject: `mock:${username ?? 'key'}`,
    scopes: [...new Set([...declared, ...required])],
    kind: 'mock',
    credentialId: 'mock',
  });
  const anonymous = () => principal(undefined);
  const names = schemes.flatMap((scheme) =>
    scheme.type === 'http' ? [scheme.scheme.toLowerCase()] : [],
  );
  return {
    apiKey: anonymous,
    bearer: principal,
    basic: ({ username }) => principal(username),
    http: Object.fromEntries(names.map((name) => [name, anonymous])),
    accountExists: async () => true,
  };
};
