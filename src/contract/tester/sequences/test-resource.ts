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
import type { SentRequest } from '../../../requests/http-client';
import { accepting, type RequestCase } from '../../../requests/request-case';
import { type CaseOutcome, isSuccess } from '../checks/check-answer';
import { anyItem } from '../checks/read-body';
import { type Problem, shown } from '../rules';
import { createdIdentity, identityIn, listedItems, type PathValues } from '../session/resources';
import { explore, type TestFinding } from '../session/session';
import type { Subject } from '../session/subject';
import type { CaseOptions } from '../values/case-arbitrary';
import { differences, KeptValues, missingValues, returnedPlaces } from './compare-values';
import { compareRepresentations } from './representations';

/** The operations on one kind of resource. */
export interface ResourceSubjects {
  readonly itemPath: ItemPath;
  readonly creation: Creation;
  readonly create: Subject;
  readonly read: Subject | undefined;
  readonly list: Subject | undefined;
  /** At the item, or at the collection with the identity in its body. */
  readonly update: Subject | undefined;
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
  const updateOf = ({ item, collection }: ItemPath): Subject | undefined =>
    [item, collection].flatMap((path) => at(path, 'put') ?? at(path, 'patch') ?? [])[0];
  // Some parameters show a part of a list alone.
  const paging = /^(?:limit|offset|page|size|per_?page|cursor|after|before|start|count|top|skip)/i;
  const isWholeList = ({ parameters }: Operation): boolean =>
    !parameters.some(
      ({ in: location, name, required }) => location === 'query' && (required || paging.test(name)),
    );
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

/** One resource on its way, and all that was sent for it. */
class ResourceSequence {
  readonly #kept: KeptValues;
  readonly #sent: SentRequest[] = [];
  readonly #path: PathValues;
  readonly findings: TestFinding[] = [];

  constructor(kept: KeptValues, path: PathValues, created: CaseOutcome) {
    this.#kept = kept;
    this.#path = path;
    this.#sent.push(created.sent);
  }

  /** Makes a valid request for the resource; without examples, which name other resources. */
  async caseOf(
    subject: Subject,
    optional: CaseOptions['optional'],
  ): Promise<RequestCase | undefined> {
    const cases = subject.cases({ content: subject.contents[0], optional, examples: false });
    const [input] = subject.samples(cases, 1, 'sequence', this.#sent.length);
    return input && subject.resources.pinTo(input, this.#path);
  }

  /** Sends a valid request, by default as short a one as can be. */
  async ask(
    subject: Subject,
    input?: RequestCase,
    accept?: string,
  ): Promise<CaseOutcome | undefined> {
    const request = input ?? (await this.caseOf(subject, false));
    if (request === undefined) return undefined;
    const change = accepting(accept);
    const outcome = await subject.send(request, { intent: 'valid', change });
    if (outcome !== undefined) this.#sent.push(outcome.sent);
    const findings = outcome ? subject.findings(outcome, 'valid request') : [];
    this.findings.push(...findings.map((finding) => ({ ...finding, sent: [...this.#sent] })));
    return outcome;
  }

  /** Adds what is wrong with the last answer in the light of those before. */
  fail({ operation, coverage }: Subject, description: string, problem: Problem): void {
    const sent = [...this.#sent];
    this.findings.push({ problem, operation, coverage, sent, description });
  }

  /** Holds what was read to what one of the operations has written. */
  compare(
    { subject, writer }: { readonly subject: Subject; readonly writer: Subject },
    written: unknown,
    read: CaseOutcome,
    after: string,
  ): void {
    const { body } = read.checked;
    if (body === undefined || !isPlainObject(body.value)) return;
    const { value, shape } = body;
    const missing = missingValues(written, value, shape);
    const found = [...differences(written, value, shape), ...missing];
    writer.coverage.recordReturn(
      written,
      returnedPlaces(written, value),
      missing.map(({ pointer }) => anyItem(pointer)),
    );
    const lost = this.#kept.lost(found, written, value);
    for (const { pointer, written: sent, read: came } of lost) {
      this.fail(subject, `read after ${after}`, {
        rule: 'value-changed',
        place: anyItem(pointer),
        expected: `${shown(sent)} at ${pointer}, as it was written`,
        seen: shown(came),
      });
    }
  }
}

/** RFC 9110 section 15.3.3: accepted, and not yet done. */
const isDone = (outcome: CaseOutcome | undefined): outcome is CaseOutcome =>
  isSuccess(outcome) && outcome.checked.status !== 202;

const readBack = async (
  sequence: ResourceSequence,
  { read, create }: ResourceSubjects,
  written: unknown,
): Promise<CaseOutcome | undefined> => {
  const outcome = read && (await sequence.ask(read));
  if (read === undefined || outcome === undefined) return undefined;
  if (outcome.checked.status === 404 || outcome.checked.status === 410) {
    sequence.fail(read, 'read after create', {
      rule: 'created-not-found',
      expected: 'what has just been created',
      seen: String(outcome.checked.status),
    });
  }
  if (!isSuccess(outcome)) return undefined;
  sequence.compare({ subject: read, writer: create }, written, outcome, 'create');
  return outcome;
};

const findInList = async (
  sequence: ResourceSequence,
  { list, itemPath: { parameter } }: ResourceSubjects,
  identity: unknown,
): Promise<void> => {
  const outcome = list && (await sequence.ask(list));
  const items = listedItems(outcome?.checked.body?.value);
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

const updateAndRead = async (
  sequence: ResourceSequence,
  { update, read, itemPath }: ResourceSubjects,
  before: CaseOutcome,
): Promise<void> => {
  const written = update && read && (await updateWhole(sequence, update, itemPath));
  if (read === undefined || update === undefined || written === undefined) return;
  const after = await sequence.ask(read);
  const body = after?.checked.body;
  if (!isSuccess(after) || body === undefined) return;
  const earlier = before.checked.body?.value;
  const isUnchanged =
    differences(written, earlier, body.shape).length > 0 &&
    differences(earlier, body.value, body.shape).length === 0;
  if (isUnchanged) {
    return sequence.fail(update, 'read after update', {
      rule: 'update-lost',
      expected: 'what the update has written',
      seen: 'what was there before',
    });
  }
  sequence.compare({ subject: update, writer: update }, written, after, 'update');
};

const removeAndRead = async (
  sequence: ResourceSequence,
  { remove, read }: ResourceSubjects,
): Promise<void> => {
  const outcome = remove && (await sequence.ask(remove));
  const after = isDone(outcome) && read ? await sequence.ask(read) : undefined;
  if (remove === undefined || !isSuccess(after)) return;
  sequence.fail(remove, 'read after delete', {
    rule: 'deleted-still-there',
    expected: '404 or 410',
    seen: String(after.checked.status),
  });
};

const runSequence = async (
  resource: ResourceSubjects,
  kept: KeptValues,
  input: RequestCase,
): Promise<readonly TestFinding[] | undefined> => {
  const { create, creation, itemPath } = resource;
  const prepared = await create.prepare(input);
  if (create.write(prepared)?.isValid !== true) return undefined;
  const created = await create.sendPrepared(prepared);
  if (!isDone(created)) return [];
  const identity = createdIdentity(
    creation,
    itemPath.parameter,
    { outcome: created, input: prepared },
    create.session.tools,
  );
  if (identity === undefined) return [];
  const path = { ...prepared.parameters.path, [itemPath.parameter]: identity };
  const sequence = new ResourceSequence(kept, path, created);
  const written = prepared.body?.value;
  sequence.compare({ subject: create, writer: create }, written, created, 'create');
  const read = await readBack(sequence, resource, written);
  const { read: reader } = resource;
  if (read !== undefined && reader !== undefined) {
    const compared = await compareRepresentations(reader, (accept) =>
      sequence.ask(reader, undefined, accept),
    );
    for (const problem of compared?.problems ?? []) {
      sequence.fail(reader, 'the same in XML as in JSON', problem);
    }
  }
  await findInList(sequence, resource, identity);
  if (read !== undefined) await updateAndRead(sequence, resource, read);
  await removeAndRead(sequence, resource);
  return sequence.findings;
};

/** Runs through the life of resources of one kind. */
export const testResource = async (resource: ResourceSubjects): Promise<void> => {
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
        attempt: (input) => runSequence(resource, kept, input),
      });
    }
  }
};
