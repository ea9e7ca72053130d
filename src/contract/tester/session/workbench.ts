/** The operations of a document under test, each with what makes its requests succeed. */

import type fc from 'fast-check';
import { creationOf, itemPathsOf } from '../../../document/resources/item-paths';
import type { MediaType, Operation } from '../../../model/operation';
import type { FieldReplacement } from '../requests/case-arbitrary';
import type { RequestCase } from '../requests/request-case';
import { type PathValues, Resources } from './resources';
import type { Session } from './session';
import { isSuccess, type Outcome, type Sending, Subject, someCases } from './subject';

/** A way to make requests of an operation that succeed. */
interface Base {
  /** With the document's examples. */
  readonly examples: boolean;
  /** With resources that are there. */
  readonly lookUp: boolean;
  /** Otherwise the path parameters with which a request has succeeded. */
  readonly path?: PathValues;
}

/** Those that are tried, best first. */
const bases: readonly Base[] = [
  { examples: false, lookUp: true },
  { examples: true, lookUp: true },
  { examples: true, lookUp: false },
  { examples: false, lookUp: false },
];

/** The least number of resources of each kind. */
const SEEDLINGS = 3;

/** Requests that are made in each way before the next one is tried. */
const TRIES = 4;

export class Workbench {
  readonly session: Session;
  readonly #subjects: ReadonlyMap<string, Subject>;
  readonly #bases = new Map<Subject, Base>();
  readonly #resources: Resources;
  readonly #shortest = new Map<Subject, fc.Arbitrary<RequestCase>>();
  #made = 0;

  constructor(session: Session) {
    this.session = session;
    const { operations } = session.document;
    this.#subjects = new Map(
      operations
        .filter(({ invalidReason }) => invalidReason === undefined)
        .map((operation) => [operation.operationId, new Subject(operation, session)]),
    );
    this.#resources = new Resources(session.document, session.tools, (operation) =>
      this.#make(operation),
    );
  }

  get subjects(): readonly Subject[] {
    return [...this.#subjects.values()];
  }

  get resources(): Resources {
    return this.#resources;
  }

  subjectOf({ operationId }: Operation): Subject | undefined {
    return this.#subjects.get(operationId);
  }

  /** Sends a valid case that has been prepared; what turns out not to be there is forgotten. */
  async sendPrepared(
    subject: Subject,
    given: RequestCase,
    sending: Partial<Sending> = {},
  ): Promise<Outcome | undefined> {
    const outcome = await subject.send(given, { intent: 'valid', ...sending });
    const status = outcome?.checked.status;
    if (status === 404 || status === 410) this.#resources.forget(subject.operation.path);
    return outcome;
  }

  /** Makes a valid case and sends it; undefined where none can be made. */
  async sendValid(subject: Subject, sending: Sending): Promise<Outcome | undefined> {
    const given = await this.validCase(subject);
    return given && subject.send(given, sending);
  }

  /** Looks for what makes requests of an operation succeed; remembered. */
  async baseOf(subject: Subject): Promise<Base> {
    const known = this.#bases.get(subject);
    if (known !== undefined) return known;
    const [first] = bases;
    const fallback = first ?? { examples: false, lookUp: true };
    // Needed at once where making a resource leads back here.
    this.#bases.set(subject, fallback);
    for (const base of bases) {
      const success = await this.#succeeds(subject, base);
      if (success === undefined) continue;
      const found = base.lookUp ? base : { ...base, path: success.parameters.path };
      this.#bases.set(subject, found);
      this.#shortest.delete(subject);
      return found;
    }
    return fallback;
  }

  async #succeeds(subject: Subject, base: Base): Promise<RequestCase | undefined> {
    const [content] = subject.contents;
    const cases = subject.cases({ content, optional: false, examples: base.examples });
    const seed = this.session.seedOf('base', subject.operation.operationId);
    for (const given of cases ? someCases(cases, seed, TRIES) : []) {
      const prepared = await this.#resources.pin(given, undefined, base.lookUp);
      if (isSuccess(await this.#sendAuthorized(subject, prepared))) return prepared;
    }
    return undefined;
  }

  /** Tries one credential after the other while they may not do this. */
  async #sendAuthorized(subject: Subject, given: RequestCase): Promise<Outcome | undefined> {
    const outcome = await this.sendPrepared(subject, given);
    return outcome?.checked.status === 403 && subject.passOver()
      ? this.#sendAuthorized(subject, given)
      : outcome;
  }

  /** The case as it has to be to succeed: with the base's path parameters and identities. */
  async prepare(
    subject: Subject,
    given: RequestCase,
    replaced?: Pick<FieldReplacement, 'in' | 'name' | 'path'>,
  ): Promise<RequestCase> {
    const { lookUp, path } = await this.baseOf(subject);
    const name = replaced?.in === 'body' ? replaced.path[0] : replaced?.name;
    return this.#resources.pin(given, replaced && `${replaced.in} ${name ?? ''}`, lookUp, path);
  }

  /** Requests that are as short as a valid request can be, with one place replaced. */
  async shortCases(
    subject: Subject,
    content: MediaType | undefined,
    replacement?: FieldReplacement,
  ) {
    const { examples } = await this.baseOf(subject);
    return subject.cases({ content, optional: false, examples, replacement });
  }

  /** One valid case that has been prepared; another at each call. */
  async validCase(subject: Subject): Promise<RequestCase | undefined> {
    const cases =
      this.#shortest.get(subject) ?? (await this.shortCases(subject, subject.contents[0]));
    if (cases !== undefined) this.#shortest.set(subject, cases);
    this.#made += 1;
    const seed = this.session.seedOf('valid case', subject.operation.operationId, this.#made);
    const [given] = cases ? someCases(cases, seed, 1) : [];
    return given && this.prepare(subject, given);
  }

  /** Creates some of everything, with all that is optional, so that lists are not empty. */
  async sow(): Promise<void> {
    const { document } = this.session;
    const itemPaths = document.operations.flatMap(({ path }) => itemPathsOf(path).slice(0, 1));
    const creations = itemPaths.flatMap((itemPath) => creationOf(document, itemPath) ?? []);
    for (const operation of new Set(creations.map((creation) => creation.operation))) {
      const subject = this.subjectOf(operation);
      const [content] = subject?.contents ?? [];
      const cases = subject?.cases({ content, optional: true, examples: false });
      const seed = this.session.seedOf('sow', operation.operationId);
      if (subject === undefined || cases === undefined) continue;
      for (const given of someCases(cases, seed, SEEDLINGS)) {
        const prepared = await this.prepare(subject, given);
        if (subject.write(prepared)?.isValid) await this.sendPrepared(subject, prepared);
      }
    }
  }

  async #make(operation: Operation) {
    const subject = this.subjectOf(operation);
    if (subject === undefined) return undefined;
    const given = await this.validCase(subject);
    const outcome = given && (await this.sendPrepared(subject, given));
    return given && isSuccess(outcome) ? { given, outcome } : undefined;
  }
}
