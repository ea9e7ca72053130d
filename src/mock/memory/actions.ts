/** The actions of operations on the items of a resource, by their roles. */

import { isPlainObject, type PlainObject, setOwn } from '../../base/plain-object';
import { singular } from '../../document/resources/body-forms';
import type { Role } from '../../document/resources/item-paths';
import type { Owner } from '../../document/resources/resources';
import type { UntypedHandler } from '../../engine';
import { HttpError } from '../../http/http-error';
import { mockHeader } from '../../http/send';
import { compileCoercion } from '../../schema/coercion';
import { completed, withReadOnly } from '../values/items';
import { type Page, pageOf } from '../values/lists';
import { type Store, withOwners } from './store';
import type { Table } from './tables';

/** A request, as an action sees it. */
export interface Action {
  readonly store: Store;
  readonly table: Table;
  readonly scope: readonly string[];
  /** The identity of the item that the path or the body names; undefined where neither does. */
  readonly identity: unknown;
  /** The members that are given for an item. */
  readonly given: PlainObject;
  readonly path: Readonly<Record<string, unknown>>;
  readonly owners: readonly Owner[];
  /** Tells whether the operation declares exactly this status. */
  declares(status: number): boolean;
  /** Tells whether the operation declares what is answered where nothing is there. */
  readonly declaresMissing: boolean;
}

/** The items that were acted on. */
export interface Done {
  readonly page: Page;
  /** True where there was no such item before. */
  readonly isNew?: boolean;
}

const marked = { headers: { [mockHeader]: 'true' } };

/** Makes the error of an item that is not there. */
export const missing = ({ resource: { name, identity } }: Table): HttpError =>
  new HttpError(404, 'declared', `No ${singular(name)} has this ${identity}`, marked);

/** Finds the item, or makes it where the operation declares no answer for one that is not there. */
const found = ({ table, scope, identity, declaresMissing }: Action): PlainObject => {
  const { name, identity: property } = table.resource;
  if (identity === undefined) {
    const message = `The body must name a ${singular(name)} by its ${property}`;
    throw new HttpError(400, 'invalid-body', message, marked);
  }
  const item = table.reach(scope, identity);
  if (item !== undefined) return item;
  if (declaresMissing) throw missing(table);
  return table.made(identity) ?? { [property]: identity };
};

/**
 * Keeps an item of the members, and returns it as a page.
 * @param isWhole true where nothing that is missing is made up
 * @throws HttpError where they fit no item, as the document declares it for a wrong body
 */
const keep = (action: Action, members: PlainObject, isWhole = false): Page => {
  const { table, scope, owners, path } = action;
  const { name } = table.resource;
  const item = completed(table.values, withOwners(table, members, owners, path), isWhole);
  if (item === undefined) {
    const status = [400, 409].find(action.declares) ?? 400;
    const message = `The body makes no valid ${singular(name)}`;
    throw new HttpError(status, 'invalid-body', message, marked);
  }
  table.set({ scope, item });
  return pageOf([item]);
};

const keepNew = (action: Action, identity: unknown): Done => {
  const { values, resource } = action.table;
  const members = withReadOnly(values, { ...action.given, [resource.identity]: identity });
  const filled = compileCoercion(values.shape, 'upgrade')(members);
  return { page: keep(action, isPlainObject(filled) ? filled : members), isNew: true };
};

const create = (action: Action): Done => {
  const { table, scope, identity, declares } = action;
  if (identity === undefined) return keepNew(action, table.newIdentity(scope));
  const status = [409, 400, 422].find(declares);
  if (table.find(scope, identity) === undefined || status === undefined) {
    return keepNew(action, table.typedIdentity(identity) ?? identity);
  }
  const { name, identity: property } = table.resource;
  throw new HttpError(status, 'declared', `Another ${singular(name)} has this ${property}`, marked);
};

const replace = (action: Action): Done => {
  const { table, scope, identity, given } = action;
  const { values, resource } = table;
  const known = identity === undefined ? undefined : table.find(scope, identity);
  // PUT creates where the document says that it may (RFC 9110 section 9.3.4).
  const identified = action.declares(201) ? table.typedIdentity(identity) : undefined;
  if (known === undefined && identified !== undefined) return keepNew(action, identified);
  const old = Object.entries(found(action));
  const kept = old.filter(
    ([name]) => name === resource.identity || values.shape.properties.get(name)?.readOnly,
  );
  return { page: keep(action, { ...given, ...Object.fromEntries(kept) }) };
};

/** Throws HttpError (415) where a body is no merge patch, such as a JSON Patch (RFC 6902). */
export const requireMergePatch = ({ body, client }: Parameters<UntypedHandler>[0]): void => {
  const isOther = /json-patch/i.test(String(client.headers['content-type']));
  if (isPlainObject(body ?? {}) && !isOther) return;
  const message = 'Mocks apply merge patches alone (RFC 7396): send an object of what changes';
  throw new HttpError(415, 'unsupported-media-type', message, marked);
};

/** Applies a merge patch (RFC 7396): null removes a member, objects are merged, and all else replaces. */
const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isPlainObject(patch)) return patch;
  const merged: PlainObject = isPlainObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else setOwn(merged, name, mergePatch(merged[name], value));
  }
  return merged;
};

const patch = (action: Action): Done => {
  const item = found(action);
  const { given, table } = action;
  const { values, resource } = table;
  const { identity } = resource;
  const merged = mergePatch(item, given);
  // What is required cannot be removed, but may be null.
  const nulls = Object.entries(given).filter(
    ([name, value]) =>
      value === null && values.required.has(name) && values.property(name)?.accepts(null),
  );
  const members = { ...(isPlainObject(merged) && merged), ...Object.fromEntries(nulls) };
  return { page: keep(action, { ...members, [identity]: item[identity] }, true) };
};

/** The actions; each throws HttpError where the item is not there, or may not be. */
export const actions: Readonly<Record<Exclude<Role, 'list'>, (action: Action) => Done>> = {
  create,
  read: (action) => ({ page: pageOf([found(action)]) }),
  replace,
  patch,
  delete(action) {
    const item = found(action);
    action.store.delete(action.table.resource, action.scope, action.identity);
    return { page: pageOf([item]) };
  },
};
