/** Prepares a service of one document before the database is opened : its schemas, its handlers, and what does not fit among them. */

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
import { HttpError } from '../http/http-error';
import { asksForUser } from '../model/document';
import type { Operation } from '../model/operation';
import { openApiWebhooks, type WriteWebhook } from '../requests/webhooks';
import { QuotaExceeded } from '../storage/collections/attached-files';
import { InvalidPage } from '../storage/collections/cursors';
import { type CollectionSchema, UnusableSchema } from '../storage/collections/item-schema';
import type { CollectionDeclaration } from '../storage/collections/register-collections';
import { InvalidUserName } from '../storage/identity/users';
import { type DeclarationFault, declarationFaults } from '../storage/storage';
import { demoCredentials } from './demo-data';
import type { HandlerModules } from './handler-modules';
import { type HandledDocument, lostOperations, type UnfitDemoData } from './handler-report';
import { itemSchemas, plainUsers } from './item-schemas';

/** The objects that handlers are made with. */
interface Dependencies {
  /** By name. */
  readonly collections: Readonly<Record<string, object>>;
  readonly users: object | undefined;
  readonly identity: object;
  readonly transaction: (work: never) => Promise<unknown>;
}

/** A service whose handlers are made, and which has no database yet. */
export interface PreparedService extends HandledDocument {
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
  /** Gives handlers the database that they were made for. */
  connect(dependencies: Dependencies): void;
}

/** Makes a stand-in for an object that is there once the database is open; its methods can be taken at once, and called then. */
const promised = (find: () => object | undefined): object =>
  new Proxy(
    {},
    {
      get(_, name) {
        const object = find();
        if (object !== undefined) return Reflect.get(object, name);
        return (...args: readonly unknown[]): unknown => {
          const method: unknown = Reflect.get(Object(find()), name);
          if (typeof method === 'function') return Reflect.apply(method, find(), args);
          throw new Error(`${String(name)} cannot be called while handlers are made`);
        };
      },
    },
  );

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

/** Makes a handler that throws errors of storage as those of HTTP. */
const withHttpErrors =
  (handler: UntypedHandler): UntypedHandler =>
  async (...given) => {
    try {
      return await handler(...given);
    } catch (error) {
      throw httpErrorOf(error);
    }
  };

/** Makes the handlers of modules; they get their dependencies by `connect`. */
const makeHandlers = (
  modules: HandlerModules,
  operations: readonly Operation[],
  hasUsers: boolean,
  webhook: WriteWebhook<never>,
) => {
  let connected: Dependencies | undefined;
  const names = Object.keys(modules.collections);
  const collections = names.map((name) => [name, promised(() => connected?.collections[name])]);
  const dependencies = {
    ...Object.fromEntries(collections),
    users: hasUsers ? promised(() => connected?.users) : undefined,
    identity: promised(() => connected?.identity),
    webhook,
    transaction: async (work: never) => {
      if (connected !== undefined) return connected.transaction(work);
      throw new Error('transaction cannot be called while handlers are made');
    },
  };
  const connect = (given: Dependencies): void => {
    connected = given;
  };
  return { ...modules.handlers(dependencies, operations), connect };
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

/** The declarations of what a service stores. */
type DeclaredData = Pick<HandlerModules, 'collections'> & Pick<PreparedService, 'accounts'>;

/** Fits demo data to the document, and tells what is left out. Data without a usable schema is reported elsewhere. */
const fitDemo = (
  { demo, collections, accounts }: Pick<HandlerModules, 'demo'> & DeclaredData,
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
  const stored = { collections: modules.collections, accounts };
  const faults = declarationFaults(stored, (declaration) => schemaOf(declaration));
  const { handlers, failed, connect } = makeHandlers(
    modules,
    operations,
    accounts !== undefined,
    openApiWebhooks(document, tools),
  );
  const { fitting, unfit } = fitDemo({ ...stored, demo: modules.demo }, schemaOf, faults);
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
    // Without what verifies its credentials, none may run.
    handlers: failure === undefined ? handlers : [],
    securityHandlers,
    failure,
    failed,
    faults,
    mocks,
    acceptsAny: settings.mockCredentials && mocks && !modules.exist,
    demo: demoData ? { ...fitting, ...(demoUsers && { users: demoUsers }) } : {},
    unfitDemo: demoData ? unfit : [],
    connect,
  };
};

const lost: UntypedHandler = () => {
  throw new HttpError(501, 'not-implemented', 'The handler of this operation cannot be loaded');
};

/** Lists the handlers of a service by operationId, as the engine takes them; those that cannot be loaded are not replaced by mocks. */
export const servingHandlers = (
  service: PreparedService,
): readonly (readonly [string, UntypedHandler])[] => {
  const ids = new Set(service.document.operations.map(({ operationId }) => operationId));
  return [
    ...lostOperations(service).map(({ operationId }) => [operationId, lost] as const),
    ...service.handlers
      .filter(({ operationId }) => ids.has(operationId))
      .map(({ operationId, handler }) => [operationId, withHttpErrors(handler)] as const),
  ];
};
