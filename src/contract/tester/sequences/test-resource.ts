/** Sequences on a resource: created, it is there and listed; updates change it; deleted, it is gone. */

import { isPlainObject } from '../../../base/plain-object';
import {
  type Creation,
  creationOf,
  type ItemPath,
  identityName,
  itemPathsOf,
} from '../../../document/resources/item-paths';
import type { Operation } from '../../../model/operation';
import type { RequestCase } from '../../../requests/request-case';
import type { Shape } from '../../../schema/shape';
import { shown } from '../rules';
import { explore } from '../session/explore';
import { identityIn, itemsOf } from '../session/identities';
import { isSuccess, type Outcome } from '../session/outcome';
import { createdIdentity } from '../session/resources';
import type { Finding } from '../session/session';
import type { Subject } from '../session/subject';
import { differences, KeptValues } from './compare-values';
import { compareRepresentations } from './representations';
import { ResourceSequence } from './resource-sequence';

/** The operations on one kind of resource. */
export interface Resource {
  readonly itemPath: ItemPath;
  readonly creation: Creation;
  readonly create: Subject;
  readonly read: Subject | undefined;
  readonly list: Subject | undefined;
  /** At the item, or at the collection with the identity in its body. */
  readonly update: Subject | undefined;
  readonly remove: Subject | undefined;
}

/** Parameters that show a part of a list alone. */
const paging = /^(?:limit|offset|page|size|per_?page|cursor|after|before|start|count|top|skip)/i;

const isWholeList = ({ parameters }: Operation): boolean =>
  !parameters.some(
    ({ in: location, name, required }) => location === 'query' && (required || paging.test(name)),
  );

/** Finds the operations on each kind of resource that an operation creates. */
export const resourcesOf = (create: Subject, subjects: readonly Subject[]): Resource[] => {
  const { document } = create.session;
  const itemPaths = new Map(
    document.operations
      .flatMap(({ path }) => itemPathsOf(path).filter(({ item }) => item === path))
      .map((itemPath) => [itemPath.item, itemPath]),
  );
  const at = (path: string, method: string): Subject | undefined =>
    subjects.find(({ operation }) => operation.path === path && operation.method === method);
  const updateOf = ({ item, collection }: ItemPath): Subject | undefined =>
    [item, collection].flatMap((path) => at(path, 'put') ?? at(path, 'patch') ?? [])[0];
  return [...itemPaths.values()].flatMap((itemPath) => {
    const creation = creationOf(document, itemPath);
    if (creation?.operation !== create.operation) return [];
    const list = at(itemPath.collection, 'get');
    return [
      {
        itemPath,
        creation,
        create,
        read: at(itemPath.item, 'get'),
        list: list && isWholeList(list.operation) ? list : undefined,
        update: updateOf(itemPath),
        remove: at(itemPath.item, 'delete'),
      },
    ];
  });
};

const status = (outcome: Outcome | undefined): string => String(outcome?.checked.status);

const isGone = (outcome: Outcome | undefined): boolean =>
  outcome?.checked.status === 404 || outcome?.checked.status === 410;

/** RFC 9110 section 15.3.3: accepted, and not yet done. */
const isDone = (outcome: Outcome | undefined): outcome is Outcome =>
  isSuccess(outcome) && outcome.checked.status !== 202;

const readBack = async (
  sequence: ResourceSequence,
  { read }: Resource,
  written: unknown,
): Promise<Outcome | undefined> => {
  const outcome = read && (await sequence.ask(read));
  if (read === undefined || outcome === undefined) return undefined;
  if (isGone(outcome)) {
    const expected = 'what has just been created';
    sequence.fail(read, 'read after create', {
      rule: 'created-not-found',
      expected,
      seen: status(outcome),
    });
  }
  if (!isSuccess(outcome)) return undefined;
  sequence.compare(read, written, outcome, 'create');
  return outcome;
};

const compareXml = async (sequence: ResourceSequence, { read }: Resource): Promise<void> => {
  const compared =
    read && (await compareRepresentations(read, (accept) => sequence.ask(read, undefined, accept)));
  if (read === undefined || compared === undefined) return;
  for (const problem of compared.problems) {
    sequence.fail(read, 'the same in XML as in JSON', problem);
  }
};

const findInList = async (
  sequence: ResourceSequence,
  { list, itemPath: { parameter } }: Resource,
  identity: unknown,
): Promise<void> => {
  const outcome = list && (await sequence.ask(list));
  const items = itemsOf(outcome?.checked.body?.value);
  if (list === undefined || !isSuccess(outcome) || items === undefined) return;
  const names = outcome.checked.body?.shape.items?.properties.keys();
  const others = items.map((item) => identityIn(parameter, item, names));
  const isTold = others.every((other) => other !== undefined);
  if (!isTold || others.some((other) => String(other) === String(identity))) return;
  sequence.fail(list, 'list after create', {
    rule: 'created-not-listed',
    expected: `an item with ${parameter} ${shown(identity)}`,
    seen: `${items.length} other items`,
  });
};

const isUnchanged = (before: Outcome, after: Outcome, written: unknown, shape: Shape): boolean => {
  const [one, other] = [before.checked.body?.value, after.checked.body?.value];
  return differences(written, one, shape).length > 0 && differences(one, other, shape).length === 0;
};

/** Updates with all that is optional, else with none of it. Resolves to what was written; undefined where neither succeeds. */
const updateWhole = async (
  sequence: ResourceSequence,
  update: Subject,
  { item, parameter }: ItemPath,
): Promise<unknown> => {
  for (const optional of ['always', false] as const) {
    const given = await sequence.caseOf(update, optional);
    const written = given?.body?.value;
    if (!isPlainObject(written)) continue;
    const isNamed =
      update.operation.path === item || identityName(parameter, Object.keys(written)) !== undefined;
    if (isNamed && isDone(await sequence.ask(update, given))) return written;
  }
  return undefined;
};

const updateAndRead = async (
  sequence: ResourceSequence,
  { update, read, itemPath }: Resource,
  before: Outcome,
): Promise<void> => {
  const written = update && read && (await updateWhole(sequence, update, itemPath));
  if (read === undefined || update === undefined || written === undefined) return;
  const after = await sequence.ask(read);
  const body = after?.checked.body;
  if (!isSuccess(after) || body === undefined) return;
  if (isUnchanged(before, after, written, body.shape)) {
    return sequence.fail(update, 'read after update', {
      rule: 'update-lost',
      expected: 'what the update has written',
      seen: 'what was there before',
    });
  }
  sequence.compare(update, written, after, 'update');
};

const removeAndRead = async (
  sequence: ResourceSequence,
  { remove, read }: Resource,
): Promise<void> => {
  const outcome = remove && (await sequence.ask(remove));
  const after = isDone(outcome) && read ? await sequence.ask(read) : undefined;
  if (remove === undefined || !isSuccess(after)) return;
  sequence.fail(remove, 'read after delete', {
    rule: 'deleted-still-there',
    expected: '404 or 410',
    seen: status(after),
  });
};

const runSequence = async (
  resource: Resource,
  kept: KeptValues,
  given: RequestCase,
): Promise<readonly Finding[] | undefined> => {
  const { create, creation, itemPath } = resource;
  const prepared = await create.prepare(given);
  if (create.write(prepared)?.isValid !== true) return undefined;
  const created = await create.sendPrepared(prepared);
  if (!isDone(created)) return [];
  const identity = createdIdentity(
    creation,
    itemPath.parameter,
    { outcome: created, given: prepared },
    create.session.tools,
  );
  if (identity === undefined) return [];
  const path = { ...prepared.parameters.path, [itemPath.parameter]: identity };
  const sequence = new ResourceSequence(kept, path, created);
  const written = prepared.body?.value;
  sequence.compare(create, written, created, 'create');
  const read = await readBack(sequence, resource, written);
  if (read !== undefined) await compareXml(sequence, resource);
  await findInList(sequence, resource, identity);
  if (read !== undefined) await updateAndRead(sequence, resource, read);
  await removeAndRead(sequence, resource);
  return sequence.findings;
};

/** Runs through the life of resources of one kind. */
export const testResource = async (resource: Resource): Promise<void> => {
  const { create, itemPath } = resource;
  const kept = new KeptValues();
  for (const content of create.contents) {
    // Once with all that is optional: a property that a server loses is then sent for sure.
    for (const [optional, runs] of [
      ['always', 1],
      [true, create.session.times(2, 12, 60)],
    ] as const) {
      const cases = create.cases({ content, optional, examples: false });
      if (cases === undefined) continue;
      await explore(create.session, {
        label: `sequence ${itemPath.item} ${content?.key} ${optional}`,
        arbitrary: cases,
        runs,
        attempt: (given) => runSequence(resource, kept, given),
      });
    }
  }
};
