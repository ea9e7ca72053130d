/** The memory of mocks: operations without a handler act on the resources of their document, so that what was posted can be read. */

import type { IncomingHttpHeaders } from 'node:http';
import { drawFrom, ownFuel } from '../../base/fuel';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { templateNames } from '../../document/read/templates';
import { itemPathsOf, type Role } from '../../document/resources/item-paths';
import {
  type Resource,
  type ResourceOperation,
  resourcesOf,
  templateOf,
} from '../../document/resources/resources';
import type { ApiDocument, SchemaContext, UntypedHandler } from '../../engine';
import type { HttpResponse } from '../../http/send';
import { type Operation, responseFinder } from '../../model/operation';
import { compileGiven } from '../../schema/coercion';
import { type Mock, type MockResponse, type OfferFor, successResponse } from '../samples/mock';
import { mostItems } from '../values/envelopes';
import { compileValues } from '../values/items';
import { compileSelection, pageOf } from '../values/lists';
import type { Given } from '../values/paging';
import { type Action, actions, type Done, missing, requireMergePatch } from './actions';
import { compileBodies, compileLocation, compilePageHeaders } from './answers';
import { keptAnswers } from './kept-answers';
import { formFinder, openStore } from './store';

/** The options of the memory of mocks. */
export interface MemoryOptions {
  /** The same number gives the same items at the start: 1. */
  readonly seed?: number;
}

/** A request, as handlers get it. */
type MockRequest = Parameters<UntypedHandler>[0];

type OwnOperation = ResourceOperation & { readonly resource: Resource };

const textsIn = (path: PlainObject, names: readonly string[]): string[] =>
  names.map((name) => String(path[name]));

/** Finds the path parameters that name the items above, and the one that names the item. */
const placesOf = ({ operation, resource, role, isNested }: OwnOperation) => {
  const names = templateNames(operation.path);
  const above = templateNames(resource.collection);
  if (role === 'create' || role === 'list') {
    return { above: isNested ? above : names.slice(0, above.length), own: undefined };
  }
  return isNested
    ? { above, own: names.find((name) => name === resource.parameter) }
    : { above: names.slice(0, above.length), own: names[above.length] };
};

/** Takes the members of an item out of the one member that they may be wrapped in. */
const unwrapped = (body: unknown, properties: ReadonlyMap<string, unknown>): PlainObject => {
  if (!isPlainObject(body)) return {};
  const [[name = '', value] = [], ...others] = Object.entries(body);
  return others.length === 0 && !properties.has(name) && isPlainObject(value) ? value : body;
};

/**
 * Opens the memory of one document, and infers its resources.
 * @param mocked the operations without a handler; resources of which an operation has a handler are sampled
 */
export const openMemory = (
  document: Pick<ApiDocument, 'operations' | 'basePath'>,
  mocked: ReadonlySet<Operation>,
  tools: SchemaContext,
  { seed = 1 }: MemoryOptions,
) => {
  const resources = resourcesOf(document, tools.shapeOf).filter((resource) =>
    resource.operations.every(({ operation }) => mocked.has(operation)),
  );
  const own = resources.flatMap((resource) =>
    resource.operations.map(
      (operation) => [operation.operation, { ...operation, resource }] as const,
    ),
  );
  const roles: ReadonlyMap<Operation, OwnOperation> = new Map(own);
  const answered = compileValues(tools, 'response');
  const store = openStore(document.operations, resources, tools, seed);
  const kept = keptAnswers();

  /** Makes the selection of the items that a list shows. */
  const selectionOf = ({ operation, resource, owners, isNested }: OwnOperation) => {
    const shape = tools.shapeOf(resource.schema);
    const formOf = formFinder(resource, tools);
    const { content } = successResponse(operation.responses).response;
    const sizes = content.flatMap((one) => {
      const form = formOf(one);
      return form && one.schema ? [mostItems(answered(one.schema), form)] : [];
    });
    const most = Math.min(Number.POSITIVE_INFINITY, ...sizes);
    const select = compileSelection(operation, shape, resource, most, answered, tools);
    return ({ table, scope, path }: Action, request: MockRequest): Done => {
      const { query, querystring, client } = request;
      const given: Given = ({ name, in: location }) => {
        if (location === 'query') return query[name];
        return location === 'querystring' ? querystring : undefined;
      };
      const steps = operation.path.replaceAll(/\{([^}]*)\}/g, (_, name: string) =>
        encodeURIComponent(String(path[name])),
      );
      const origin = `${client.secure ? 'https' : 'http'}://${client.headers['host']}`;
      const url = origin + document.basePath + steps;
      const isBelow = (item: PlainObject): boolean =>
        owners.every(
          ({ property, parameter }) => String(item[property]) === String(path[parameter]),
        );
      const items = table.within(scope);
      return { page: select(isNested ? items.filter(isBelow) : items, given, url) };
    };
  };

  /** Makes the check that the items above are there, which throws HttpError (404). */
  const checkOfParents = ({ operation, resource }: OwnOperation, declaresMissing: boolean) => {
    const parents = itemPathsOf(operation.path).flatMap(({ item }) => {
      const parent = store.at(templateOf(item));
      const isOther = parent !== undefined && parent !== resource;
      return isOther ? [{ parent, names: templateNames(item) }] : [];
    });
    return (path: PlainObject): void => {
      for (const { parent: above, names } of parents) {
        const [table, values] = [store.table(above), textsIn(path, names)];
        const parent = table.reach(values.slice(0, -1), values.at(-1));
        if (parent === undefined && declaresMissing) throw missing(table);
      }
    };
  };

  /** Makes the reading of what a request is about. */
  const actionOf = (mine: OwnOperation): ((request: MockRequest) => Action) => {
    const { operation, resource, role, owners } = mine;
    const shape = tools.shapeOf(resource.schema);
    const { properties } = shape;
    const exact = compileGiven(shape);
    const declared = new Set(operation.responses.map(({ key }) => key));
    const notFound = responseFinder(operation.responses)(404);
    const success = successResponse(operation.responses).response;
    const declaresMissing = notFound !== undefined && notFound !== success;
    const checkParents = checkOfParents(mine, declaresMissing);
    const { above, own } = placesOf(mine);
    const fields = operation.parameters.filter(
      (parameter) => role === 'patch' && parameter.in === 'query' && properties.has(parameter.name),
    );
    return (request) => {
      const { path, query } = request;
      if (operation.method === 'patch') requireMergePatch(request);
      checkParents(path);
      const queried = fields.flatMap(({ name }) =>
        query[name] === undefined ? [] : [[name, query[name]] as const],
      );
      const members = { ...Object.fromEntries(queried), ...unwrapped(request.body, properties) };
      const given = { ...Object(exact(members)) };
      return {
        store,
        table: store.table(resource),
        scope: textsIn(path, above),
        identity: own === undefined ? given[resource.identity] : path[own],
        given,
        path,
        owners,
        declaresMissing,
        declares: (status) => declared.has(String(status)),
      };
    };
  };

  return {
    /** Returns the role of an operation; undefined where it is sampled. */
    roleOf: (operation: Operation): Role | undefined => roles.get(operation)?.role,

    /** Forgets all changes, and makes the response that says so. */
    async reset(): Promise<HttpResponse> {
      kept.clear();
      store.reset();
      return { status: 204, headers: {}, body: undefined };
    },

    /** Makes the answers of an operation; undefined where it belongs to no resource. */
    answersOf(operation: Operation, offerFor: OfferFor, mock: Mock): UntypedHandler | undefined {
      const mine = roles.get(operation);
      if (mine === undefined) return undefined;
      const { resource, role } = mine;
      const writeBody = compileBodies(resource, answered, tools);
      const locate = compileLocation(resource, document.basePath, operation, tools);
      const headersOf = compilePageHeaders(operation, answered);
      const readAction = actionOf(mine);
      const act = role === 'list' ? selectionOf(mine) : actions[role];
      const isChange = role !== 'read' && role !== 'list';
      /** Finds the item that a change is about, as it is read: in the form of the answer, where that has it. */
      const currentOf = (
        { table, scope, identity }: Action,
        mocked: MockResponse,
        accept: string | undefined,
      ) => {
        const item = identity === undefined ? undefined : table.find(scope, identity);
        const offer = offerFor(mocked.status, accept);
        return item && (writeBody(mocked, pageOf([item]), offer).body ?? item);
      };
      const once = kept.compileOnce(operation);
      const answer = (request: MockRequest): MockResponse => {
        const headers: IncomingHttpHeaders = request.client.headers;
        const { response: mocked } = mock(headers.accept);
        const action = readAction(request);
        if (isChange) request.precondition(currentOf(action, mocked, headers.accept));
        const { page, isNew = false } = act(action, request);
        const status = isNew && role === 'replace' ? 201 : mocked.status;
        const identities = [...action.scope, page.items[0]?.[resource.identity]];
        const location = isNew ? locate(status, identities, request.client) : {};
        const body = writeBody(mocked, page, offerFor(status, headers.accept));
        const told = role === 'list' ? headersOf(status, mocked, page) : mocked.headers;
        return { status, ...body, headers: { ...told, ...location } };
      };
      return (request) => {
        const act = () => answer(request);
        return drawFrom(ownFuel(), () => (isChange ? once(request, act) : act()));
      };
    },
  };
};
