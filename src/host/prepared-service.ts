/** Prepares a service of one document before the database is opened: its schemas, and what does not fit among them; then makes its handlers. */

import { randomUUID } from 'node:crypto';
import { errorMessage } from '../base/error-message';
import { requireKnownNames } from '../base/text/nearest-name';
import {
  type ApiDocument,
  type SchemaContext,
  type SecurityHandlers,
  schemaContext,
  type UntypedHandler,
} from '../engine';
import { handlerKinds } from '../http/caller';
import { handlerLog } from '../http/exchange';
import { HttpError } from '../http/http-error';
import { asksForUser } from '../model/document';
import type { Operation } from '../model/operation';
import { openApiWebhooks } from '../requests/webhooks';
import { QuotaExceeded } from '../storage/collections/attached-files';
import { InvalidPage } from '../storage/collections/cursors';
import { type CollectionSchema, UnusableSchema } from '../storage/collections/item-schema';
import type { CollectionDeclaration } from '../storage/collections/register-collections';
import { callers } from '../storage/connections/database-driver';
import { InvalidUserName } from '../storage/identity/users';
import {
  type DeclarationFault,
  declarationFaults,
  type ServiceStorage,
  type StoredData,
} from '../storage/storage';
import { demoCredentials } from './demo-data';
import type { FactoryCall, HandlerModules } from './handler-modules';
import { type HandledDocument, lostOperations, type UnfitDemoData } from './handler-report';
import { itemSchemas, plainUsers } from './item-schemas';
import { type LifetimeOptions, Lifetimes } from './lifetime';

/** A service as its document and modules declare it, before the database is opened. */
export interface PreparedService extends Omit<HandledDocument, 'handlers' | 'failed'> {
  readonly tools: SchemaContext;
  readonly schemaOf: ReturnType<typeof itemSchemas>;
  readonly fileUrl: (id: string) => string;
  /** The schema of its users; undefined where it has none. */
  readonly accounts: CollectionDeclaration | undefined;
  /** Tells whether its callers sign in as users of this program. */
  readonly signsUsersIn: boolean;
  /** The security handlers of its modules, which go before those of the service. */
  readonly securityHandlers: SecurityHandlers;
  /** Demo data that fits the document, by collection; `users` are the users. */
  readonly demo: HandlerModules['demo'];
}

/** The objects that handlers are made with. */
type Kept = StoredData &
  Pick<
    ServiceStorage,
    'transaction' | 'database' | 'updateViews' | 'migrate' | 'leases' | 'end'
  > & {
    readonly identity: object;
  };

/** A service whose handlers are made, and what they keep: `Data`; undefined where they keep nothing. */
export type HandledService<Data extends Kept | undefined = Kept | undefined> = PreparedService &
  HandledDocument & {
    readonly data: Data;
    readonly lifetimes: Lifetimes;
    /** Tells whether its handlers asked for the database. */
    readonly usesTables: boolean;
    /** Ends its handlers, when their last request has ended: their lifetimes, then their database. */
    end(): Promise<void>;
  };

/** Makes the error of HTTP for an error of storage. */
const httpErrorOf = (error: unknown): unknown => {
  if (error instanceof QuotaExceeded) return new HttpError(413, 'body-too-large', error.message);
  if (error instanceof UnusableSchema) return new HttpError(501, 'not-implemented', error.message);
  if (error instanceof InvalidPage) return new HttpError(400, 'invalid-parameter', error.message);
  if (!(error instanceof InvalidUserName)) return error;
  return new HttpError(400, 'invalid-body', error.message, {
    errors: [{ in: 'body', path: '', message: `the user name ${error.problem}` }],
  });
};

/**
 * Makes a handler that throws errors of storage as those of HTTP. What it asks of its own tables ends when its caller has left, as far as
 * the database allows; to know the caller slows each promise, so that only handlers pay for it that ask.
 */
const withHttpErrors =
  (handler: UntypedHandler, usesTables: boolean): UntypedHandler =>
  async (request) => {
    try {
      if (!usesTables) return await handler(request);
      return await callers.run(request.client.signal, handler, request);
    } catch (error) {
      throw httpErrorOf(error);
    }
  };

/** Reads an item as the document has it, defaults filled in; or tells why it does not fit. A number is assigned when it is stored. */
const fitItem = (
  { codec, hasId, hasTextId }: CollectionSchema<object>,
  item: object,
): object | string => {
  try {
    const assigned = hasId ? { id: 1n } : hasTextId && { id: randomUUID() };
    const { document, problems } = codec.convert(codec.write({ ...assigned, ...item }));
    const [problem] = problems;
    if (problem !== undefined) return `${problem.path} ${problem.message}`;
    const fitted = codec.read(document);
    const { id: _, ...unnumbered } = fitted as { readonly id?: unknown };
    return hasId && !('id' in item) ? unnumbered : fitted;
  } catch (error) {
    // An author may have written anything.
    return errorMessage(error);
  }
};

/** Fits demo data to the document, and tells what is left out. Data without a usable schema is reported elsewhere. */
const fitDemo = (
  { demo, collections }: Pick<HandlerModules, 'demo' | 'collections'>,
  accounts: PreparedService['accounts'],
  schemaOf: PreparedService['schemaOf'],
  faults: readonly DeclarationFault[],
) => {
  const fitting: Record<string, readonly object[]> = {};
  const unfit: UnfitDemoData[] = [];
  const unusable = faults.filter(({ reason }) => reason !== undefined).map(({ name }) => name);
  const declarations: HandlerModules['collections'] = {
    ...collections,
    ...(accounts && { users: accounts }),
  };
  for (const [name, items] of Object.entries(demo)) {
    const declaration = declarations[name];
    if (declaration === undefined || unusable.includes(name)) continue;
    const schema = schemaOf(declaration);
    const fitted = items.map((item) => fitItem(schema, item));
    // What is left out leaves a gap: other demo data may name the items that follow by their ids.
    const isNumbered = schema.hasId && !items.some((item) => 'id' in item);
    fitting[name] = fitted.flatMap((item, at) => {
      if (typeof item === 'string') return [];
      return [isNumbered ? { id: BigInt(at + 1), ...item } : item];
    });
    const numbers = fitted.flatMap((item, at) => (typeof item === 'string' ? [at + 1] : []));
    const reason = fitted.find((item) => typeof item === 'string');
    if (reason !== undefined) unfit.push({ name, declaration, numbers, reason });
  }
  return { fitting, unfit };
};

/** Adds the demo user to users among whom there is none; none where the schema asks for more than a name. */
const withDemoUser = (
  users: readonly object[] = [],
  schema: CollectionSchema<object>,
): readonly object[] => {
  const { username } = demoCredentials;
  if (users.some((user) => 'username' in user && user.username === username)) return users;
  const fitted = fitItem(schema, { username });
  return typeof fitted === 'string' ? users : [...users, fitted];
};

/** Names of what factories get beside the collections. */
const ownNames = ['database', 'identity', 'lifetime', 'log', 'transaction', 'webhook'];

/** The settings by which services are prepared. */
export interface ServiceSettings {
  /** Gives the origin under which callers reach the program. */
  readonly originOf: () => string;
  readonly validateResponses: boolean;
  /** Lists stored items that no longer fit their schema. */
  readonly listsInvalid: boolean;
  readonly mockMissingHandlers: boolean;
  /** Accepts any credential where all operations are mocked. */
  readonly mockCredentials: boolean;
  readonly demoData: boolean;
  /** Tells whether the tokens that a document asks for are issued by this program: of none, if it is not given. */
  readonly issuesTokens?: (document: ApiDocument) => boolean;
}

/**
 * Gives the security handlers that are for a document.
 * @param operations - those of all documents that share its modules, whose schemes may have handlers, too
 * @throws Error where one is for no scheme
 */
const handlersOfSchemes = (
  made: SecurityHandlers,
  { securitySchemes }: ApiDocument,
  operations: readonly Operation[],
): SecurityHandlers => {
  const others = operations.flatMap(({ security }) => security.flatMap(Object.keys));
  const names = new Set([...handlerKinds, ...securitySchemes.keys(), ...others]);
  requireKnownNames(Object.keys(made), [...names], 'security scheme');
  const own = Object.entries(made).filter(
    ([name]) => handlerKinds.has(name) || securitySchemes.has(name),
  );
  return Object.fromEntries(own);
};

/**
 * Prepares a service of a document and its modules.
 * @param operations - those of all documents that share its modules
 */
export const prepareService = async (
  document: ApiDocument,
  modules: HandlerModules,
  settings: ServiceSettings,
  operations = document.operations,
): Promise<PreparedService> => {
  const { originOf, validateResponses, listsInvalid, demoData } = settings;
  const tools = schemaContext(document);
  const fileUrl = (id: string): string => `${originOf()}${document.basePath}/files/${id}`;
  const schemaOf = itemSchemas(document, tools, { validateResponses, fileUrl, listsInvalid });
  const { securityHandlers = {}, failure = modules.failure } = await modules
    .securityHandlers()
    .then((made) => ({
      securityHandlers: handlersOfSchemes(made, document, operations),
      failure: undefined,
    }))
    .catch((error: unknown) => ({ securityHandlers: undefined, failure: errorMessage(error) }));
  const signsUsersIn =
    modules.accounts !== false &&
    settings.issuesTokens?.(document) === true &&
    securityHandlers.bearer === undefined &&
    securityHandlers.basic === undefined &&
    document.operations.some((operation) => asksForUser(operation, document.securitySchemes));
  const accounts = modules.accounts || (signsUsersIn ? plainUsers : undefined);
  const { collections } = modules;
  const taken = Object.entries(collections).filter(([name]) => ownNames.includes(name));
  const faults = [
    ...declarationFaults({ collections, accounts }, (declaration) => schemaOf(declaration)),
    ...taken.map(([name, declaration]) => {
      const reason = `Handlers get something else by the name ${name}. Use another one.`;
      return { name, declaration, reason, missingFields: [] };
    }),
  ];
  const { fitting, unfit } = fitDemo(modules, accounts, schemaOf, faults);
  const lacksDemoUser = signsUsersIn && !faults.some(({ name }) => name === 'users');
  const demoUsers = accounts && lacksDemoUser && withDemoUser(fitting['users'], schemaOf(accounts));
  // Handlers that fail are not replaced by mocks.
  const mocks = settings.mockMissingHandlers && failure === undefined;
  return {
    document,
    tools,
    modules,
    schemaOf,
    fileUrl,
    accounts,
    signsUsersIn,
    securityHandlers,
    failure,
    faults,
    mocks,
    acceptsAny: settings.mockCredentials && mocks && !modules.exist,
    demo: demoData ? { ...fitting, ...(demoUsers && { users: demoUsers }) } : {},
    unfitDemo: demoData ? unfit : [],
  };
};

const keepsNothing = (): never => {
  throw new Error(
    'There is no database: the modules of handlers declare no collections, and have no migrations',
  );
};

/** The parts of a program that handlers get. */
export interface HandlerSurroundings
  extends Pick<LifetimeOptions, 'log' | 'clock' | 'traceJob' | 'onTurn'> {
  /** The second argument of factories: what tests put in the place of their defaults. */
  readonly replaced?: object | undefined;
}

/**
 * Makes the handlers of a service with what they keep, when the migrations of its tables have run.
 * @param operations - those of all documents that share its modules
 * @throws Error in one sentence where a migration fails
 */
export const makeHandlers = async <Data extends Kept | undefined>(
  service: PreparedService,
  data: Data,
  surroundings: HandlerSurroundings,
  operations = service.document.operations,
): Promise<HandledService<Data>> => {
  const { document, tools, modules, failure } = service;
  const { name } = document;
  await data?.migrate(modules.migrations);
  const { collections, users, identity, transaction = keepsNothing } = data ?? {};
  let usesTables = false;
  const kept = () =>
    Object.defineProperty({ ...collections, users, transaction }, 'database', {
      enumerable: true,
      get() {
        usesTables = true;
        return data === undefined ? keepsNothing() : data.database;
      },
    });
  const lifetimes = new Lifetimes({
    ...surroundings,
    ...{ service: name, kept },
    get leases() {
      return data?.leases;
    },
  });
  const end = async (): Promise<void> => {
    await lifetimes.end();
    data?.end();
  };
  const webhook = openApiWebhooks(document, tools);
  const log = handlerLog(surroundings.log, { service: name });
  const call = (): FactoryCall => {
    const { lifetime, end: failed } = lifetimes.begin();
    const given = Object.assign(kept(), { identity, webhook, log, lifetime });
    return { given: [given, surroundings.replaced], failed };
  };
  try {
    // Without what verifies its credentials, none may run.
    const made =
      failure === undefined
        ? await modules.handlers(call, operations)
        : { handlers: [], failed: modules.failed };
    if (usesTables) await data?.updateViews();
    return { ...service, ...made, data, lifetimes, usesTables, end };
  } catch (error) {
    await end();
    throw error;
  }
};

const unmade: UntypedHandler = () => {
  const message = 'The handler of this operation could not be made';
  throw new HttpError(503, 'unavailable', message, { headers: { 'Retry-After': '10' } });
};

const lost: UntypedHandler = () => {
  throw new HttpError(501, 'not-implemented', 'The handler of this operation cannot be loaded');
};

/** Lists the handlers of a service by operationId, as the engine takes them; those that cannot be loaded are not replaced by mocks. */
export const servingHandlers = (
  service: HandledService,
): readonly (readonly [string, UntypedHandler])[] => {
  const { document, handlers, failed, usesTables } = service;
  const ids = new Set(document.operations.map(({ operationId }) => operationId));
  const unmadeModules = failed.filter(({ isUnmade }) => isUnmade);
  const known = handlers.filter(({ operationId }) => ids.has(operationId));
  return [
    ...lostOperations(service).map(({ operationId: id }) => [id, lost] as const),
    ...lostOperations(service, unmadeModules).map(({ operationId: id }) => [id, unmade] as const),
    ...known.map((made) => [made.operationId, withHttpErrors(made.handler, usesTables)] as const),
  ];
};
