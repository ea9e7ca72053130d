/**
 * Sequences on a resource: created, it is there and listed; updates change it; deleted, it is gone. And writing at a place and reading
 * there, where nothing is created: settings, or the image of a resource.
 */

import { isPlainObject } from '../../../base/plain-object';
import {
  type Creation,
  creationOf,
  type ItemPath,
  identityName,
  itemPathsOf,
} from '../../../document/resources/item-paths';
import type { Parameter } from '../../../model/operation';
import { headerOf } from '../../../requests/http-client';
import { type RequestCase, successTypes } from '../../../requests/request-case';
import { type CaseOutcome, isSuccess } from '../checks/check-answer';
import { shown } from '../rules';
import { createdIdentity, identityIn, listedItems } from '../session/resources';
import { explore, type TestFinding } from '../session/session';
import type { Subject } from '../session/subject';
import { differences, KeptValues } from './compare-values';
import { compareRepresentations } from './representations';
import { isDone, ResourceSequence, readBack } from './resource-sequence';

/** The operations on one kind of resource. */
export interface ResourceSubjects {
  readonly itemPath: ItemPath;
  readonly creation: Creation;
  readonly create: Subject;
  readonly read: Subject | undefined;
  readonly list: Subject | undefined;
  /** True where the list may be a part of all. */
  readonly isPaged: boolean;
  /** PATCH and PUT at the item, or else at the collection with the identity in the body. */
  readonly updates: readonly Subject[];
  readonly remove: Subject | undefined;
}

/** Finds the operations on each kind of resource that an operation creates. */
export const resourcesCreatedBy = (
  create: Subject,
  subjects: readonly Subject[],
): ResourceSubjects[] => {
  const { document } = create.session;
  const itemPaths = new Map(
    document.operations
      .flatMap(({ path }) => itemPathsOf(path).filter(({ item }) => item === path))
      .map((itemPath) => [itemPath.item, itemPath]),
  );
  const at = (path: string, method: string): Subject | undefined =>
    subjects.find(({ operation }) => operation.path === path && operation.method === method);
  const updatesOf = ({ item, collection }: ItemPath): readonly Subject[] =>
    [item, collection]
      .map((path) => [at(path, 'patch'), at(path, 'put')].flatMap((one) => one ?? []))
      .find((updates) => updates.length > 0) ?? [];
  // Some parameters show a part of a list alone.
  const paging = /^(?:limit|offset|page|size|per_?page|cursor|after|before|start|count|top|skip)/i;
  const hasQuery = (subject: Subject | undefined, isMeant: (one: Parameter) => boolean): boolean =>
    subject?.operation.parameters.some((one) => one.in === 'query' && isMeant(one)) === true;
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
        list: hasQuery(list, ({ required }) => required) ? undefined : list,
        isPaged: hasQuery(list, ({ name }) => paging.test(name)),
        updates: updatesOf(itemPath),
        remove: at(itemPath.item, 'delete'),
      },
    ];
  });
};

/** The identities in a list; undefined where it does not say them all. */
const listedIdentities = async (
  sequence: ResourceSequence,
  { list, itemPath: { parameter } }: ResourceSubjects,
): Promise<readonly string[] | undefined> => {
  const outcome = list && (await sequence.ask(list));
  const items = listedItems(outcome?.checked.body?.value);
  if (!isSuccess(outcome) || items === undefined) return undefined;
  const names = [...(outcome.checked.body?.shape.items?.properties.keys() ?? [])];
  const identities = items.map((item) => identityIn(parameter, item, names));
  return identities.every((one) => one !== undefined) ? identities.map(String) : undefined;
};

const findInList = async (
  sequence: ResourceSequence,
  resource: ResourceSubjects,
  identity: unknown,
): Promise<void> => {
  const { create, list, isPaged, itemPath } = resource;
  const before = await listedIdentities(sequence, resource);
  if (list === undefined || before === undefined || before.includes(String(identity))) return;
  if (isPaged) {
    // It may stand on another page, but not where there was room: with one more item, both come.
    const another = await create.validCase();
    if (another === undefined || !isDone(await create.sendPrepared(another))) return;
    const later = await listedIdentities(sequence, resource);
    if (!later?.includes(String(identity)) || later.length <= before.length) return;
  }
  sequence.fail(list, 'list after create', {
    rule: 'created-not-listed',
    expected: `an item with ${itemPath.parameter} ${shown(identity)}`,
    seen: `${before.length} other items`,
  });
};

/** Updates with all that is optional, else with none of it. Resolves to what was written; undefined where neither succeeds. */
const updateWhole = async (
  sequence: ResourceSequence,
  update: Subject,
  { item, parameter }: ItemPath,
): Promise<unknown> => {
  for (const optional of ['always', false] as const) {
    const input = await sequence.caseOf(update, optional);
    const written = input?.body?.value;
    if (!isPlainObject(written)) continue;
    const isNamed =
      update.operation.path === item || identityName(parameter, Object.keys(written)) !== undefined;
    if (isNamed && isDone(await sequence.ask(update, input))) return written;
  }
  return undefined;
};

/** Updates and reads. Resolves to what is there afterwards, to be updated again. */
const updateAndRead = async (
  sequence: ResourceSequence,
  { read, itemPath }: ResourceSubjects,
  update: Subject,
  before: CaseOutcome,
): Promise<CaseOutcome> => {
  const written = read && (await updateWhole(sequence, update, itemPath));
  const after = read && written !== undefined ? await sequence.ask(read) : undefined;
  const body = after?.checked.body;
  if (read === undefined || !isSuccess(after) || body === undefined) return before;
  const earlier = before.checked.body?.value;
  const isChanged = differences(earlier, body.value, body.shape).length > 0;
  if (!isChanged && differences(written, earlier, body.shape).length > 0) {
    sequence.fail(update, 'read after update', {
      rule: 'update-lost',
      expected: 'what the update has written',
      seen: 'what was there before',
    });
    return after;
  }
  sequence.compare({ subject: update, writer: update }, written, after, 'update');
  const tags = [before, after].map(({ sent }) => sent.answer && headerOf(sent.answer, 'etag'));
  // A weak one may stand for what means the same (RFC 9110 section 8.8.1).
  if (isChanged && tags[0] === tags[1] && tags[0]?.startsWith('"')) {
    const expected = 'another ETag than before the update';
    sequence.fail(read, 'read after update', { rule: 'etag-wrong', expected, seen: tags[0] });
  }
  return after;
};

/** Changes one property by PATCH: the others that were written stay. Resolves to what is there afterwards. */
const patchOne = async (
  sequence: ResourceSequence,
  { updates, read }: ResourceSubjects,
  written: unknown,
  before: CaseOutcome,
): Promise<CaseOutcome> => {
  const patch = updates.find(({ operation }) => operation.method === 'patch');
  const input = patch && (await sequence.caseOf(patch, 'always'));
  const { body } = input ?? {};
  const isOne = isPlainObject(body?.value) && isPlainObject(written);
  if (!patch || !input || !read || !isOne) return before;
  const single = Object.entries(body.value)
    .map((entry) => ({ ...input, body: { ...body, value: Object.fromEntries([entry]) } }))
    .find((one) => patch.write(one)?.isValid);
  const isPatched = single && isDone(await sequence.ask(patch, single));
  const after = isPatched ? await sequence.ask(read) : undefined;
  if (!isSuccess(after)) return before;
  const whole = { ...written, ...single?.body.value };
  sequence.compare({ subject: patch, writer: patch }, whole, after, 'PATCH of one property');
  return after;
};

const removeAndRead = async (
  sequence: ResourceSequence,
  resource: ResourceSubjects,
  identity: unknown,
): Promise<void> => {
  const { remove, read } = resource;
  const outcome = remove && (await sequence.ask(remove));
  const after = isDone(outcome) && read ? await sequence.ask(read) : undefined;
  if (remove === undefined || after === undefined) return;
  const isListed =
    !isSuccess(after) && (await listedIdentities(sequence, resource))?.includes(String(identity));
  if (!isSuccess(after) && !isListed) return;
  sequence.fail(remove, 'read after delete', {
    rule: 'deleted-still-there',
    expected: '404 or 410',
    seen: isListed ? 'the resource in the list' : String(after.checked.status),
  });
};

/** Adds the defaults of properties that were left out and are shown to what was written: a server need not show them. */
const withDefaults = ({ session }: Subject, { body }: RequestCase, created: CaseOutcome) => {
  const schema = body?.content.schema;
  if (schema === undefined || !isPlainObject(body?.value)) return body?.value;
  const defaults = [...session.tools.shapeOf(schema).properties]
    .filter(([name]) => Object(created.checked.body?.value)[name] !== undefined)
    .map(([name, { defaultValue }]) => [name, defaultValue]);
  return { ...Object.fromEntries(defaults), ...body.value };
};

const runSequence = async (
  resource: ResourceSubjects,
  kept: KeptValues<TestFinding>,
  input: RequestCase,
): Promise<readonly TestFinding[] | undefined> => {
  const { create, creation, itemPath } = resource;
  const prepared = await create.prepare(input);
  if (create.write(prepared)?.isValid !== true) return undefined;
  const created = await create.sendPrepared(prepared);
  if (!isDone(created)) return [];
  const made = { outcome: created, input: prepared };
  const { tools } = create.session;
  const identity = createdIdentity(creation, itemPath.parameter, made, tools);
  if (identity === undefined) return [];
  const path = { ...prepared.parameters.path, [itemPath.parameter]: identity };
  const sequence = new ResourceSequence(kept, path, created);
  const written = withDefaults(create, prepared, created);
  sequence.compare({ subject: create, writer: create }, written, created, 'create');
  const read = await readBack(sequence, resource, written);
  const { read: reader } = resource;
  if (read !== undefined && reader !== undefined) {
    const ask = (accept: string) => sequence.ask(reader, undefined, accept);
    const compared = await compareRepresentations(reader, ask);
    for (const problem of compared?.problems ?? []) {
      sequence.fail(reader, 'the same in XML as in JSON', problem);
    }
  }
  await findInList(sequence, resource, identity);
  if (read !== undefined) {
    let current = await patchOne(sequence, resource, written, read);
    for (const update of resource.updates) {
      current = await updateAndRead(sequence, resource, update, current);
    }
  }
  await removeAndRead(sequence, resource, identity);
  return sequence.findings;
};

/** Runs through the life of resources of one kind: at the beginning once, while there are few, so that a list shows them all. */
export const testResource = async (resource: ResourceSubjects, isFirst = false): Promise<void> => {
  const { create, itemPath } = resource;
  const kept = new KeptValues<TestFinding>();
  for (const content of isFirst ? create.contents.slice(0, 1) : create.contents) {
    // Once with all that is optional: a property that a server loses is then sent for sure.
    for (const [optional, runs] of [
      ['always', 1],
      [true, isFirst ? 0 : create.session.times(2, 12, 60)],
    ] as const) {
      const cases = create.cases({ content, optional, examples: false });
      if (cases === undefined || runs === 0) continue;
      await explore(create.session, {
        label: `sequence ${itemPath.item} ${content?.key} ${optional}`,
        arbitrary: cases,
        runs,
        attempt: (input) => runSequence(resource, kept, input),
      });
    }
  }
  create.session.reportAll(kept.settled());
};

/** Finds the operation that reads what another one writes at the same place, unless sequences of resources do both. */
const readerOf = (write: Subject, subjects: readonly Subject[]): Subject | undefined => {
  const { document } = write.session;
  const { path, method } = write.operation;
  const read = subjects.find(
    ({ operation }) => operation.path === path && operation.method === 'get',
  );
  const isCreated = itemPathsOf(path).some(
    (one) => one.item === path && creationOf(document, one) !== undefined,
  );
  // What is posted is an item of a list that is read there, but for the bytes of an upload.
  const isUpload = write.contents.some((content) =>
    /^(?:image|audio|video)|octet/.test(content?.key ?? ''),
  );
  const isWrite = method === 'put' ? !isCreated : method === 'post' && isUpload;
  return isWrite ? read : undefined;
};

/** Writes some values in each media type, and reads each. */
export const testStored = async (write: Subject, subjects: readonly Subject[]): Promise<void> => {
  const { session } = write;
  const read = readerOf(write, subjects);
  if (read === undefined) return;
  const kept = new KeptValues<TestFinding>();
  const findings: TestFinding[] = [];
  const bodies = new Set<string>();
  for (const content of write.contents) {
    const cases = write.cases({ content, optional: 'always', examples: false });
    const samples = write.samples(cases, session.times(2, 3, 12), 'stored', content?.key ?? '');
    const accept = successTypes(read.operation).find((type) => type === content?.key);
    for (const sample of samples) {
      const input = await write.prepare(sample);
      const written = write.write(input)?.isValid ? await write.sendPrepared(input) : undefined;
      if (!isDone(written)) continue;
      const sequence = new ResourceSequence(kept, input.parameters.path, written);
      const value = input.body?.value;
      sequence.compare({ subject: write, writer: write }, value, written, 'update');
      const after = await readBack(sequence, { read, create: write }, value, accept);
      bodies.add(after?.sent.answer?.body.toString('latin1') ?? '');
      findings.push(...sequence.findings);
    }
  }
  // What answers the same whatever was written is no store: what came back right did so by chance.
  const isStore = bodies.size > 1 || bodies.has('');
  const isTold = ({ problem }: TestFinding) => isStore || problem.rule !== 'value-changed';
  session.reportAll([...findings, ...kept.settled()].filter(isTold));
};
