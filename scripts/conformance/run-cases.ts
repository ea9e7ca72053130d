/** Runs the cases against a server behind an adapter, or against one in this process. */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { parseJsonStrictly } from '../../src/base/json/json-parser';
import { writeJson } from '../../src/base/json/write-json';
import { type Case, type Reply, send } from './cases';
import { judge } from './judge';

/** A server under test. */
export interface Subject {
  readonly server: string;
  /** By a reason: the cases that cannot judge it, by the beginnings of their rules, or by media types in their headers. */
  readonly cannot: Readonly<Record<string, string>>;
  /** Serves a document; the origin, or undefined where the document is refused. */
  serve(document: string): Promise<string | undefined>;
  /** Says what handlers give back from now on: an echo unless a reply is given. */
  reply(reply: Reply | undefined): Promise<unknown>;
  /** The faults that the body of a refusal names, where that is known: `query p/0`. */
  faultsOf?(body: string): readonly string[];
  stop(): void;
}

/** The result of a case. */
export interface Result {
  readonly case: Case;
  readonly verdict: 'passed' | 'failed' | 'cannot be said';
  /** The differences, or why nothing can be said. */
  readonly reasons: readonly string[];
}

/** Starts an adapter: a program that serves documents as the cases' README says. */
export const startAdapter = async (file: string): Promise<Subject> => {
  const program = file.endsWith('.cjs') ? [process.execPath, file] : [file];
  const child = spawn(program[0] ?? '', program.slice(1), { stdio: ['pipe', 'pipe', 'ignore'] });
  // The end of an adapter is noticed when its next line is read.
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (): Promise<Readonly<Record<string, unknown>>> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${file} has ended`);
    return parseJsonStrictly(value) as Readonly<Record<string, unknown>>;
  };
  const ask = (message: object) => {
    child.stdin.write(`${writeJson(message)}\n`);
    return read();
  };
  const { server, cannot = {} } = await read();
  return {
    server: String(server),
    cannot: cannot as Subject['cannot'],
    serve: async (document) => (await ask({ document }))['url'] as string | undefined,
    reply: (reply = undefined) => ask({ reply: reply ?? null }),
    stop: () => child.stdin.end(),
  };
};

const whyNot = ({ cannot }: Subject, { rule, request, expected }: Case): readonly string[] => {
  const headers = [...Object.values(request?.headers ?? {}), expected.mediaType]
    .join()
    .toLowerCase();
  const isMeant = (key: string): boolean => rule.startsWith(key) || headers.includes(key);
  return Object.keys(cannot).filter((reason) => cannot[reason]?.split(' ').some(isMeant));
};

const differencesOf = async (
  subject: Subject,
  one: Case,
  origin: string | undefined,
): Promise<readonly string[]> => {
  const { refused = false, faults } = one.expected;
  const isRefused = origin === undefined;
  if (isRefused !== refused) return [`the document is ${isRefused ? 'refused' : 'served'}`];
  if (isRefused) return [];
  await subject.reply(one.reply);
  const response = await send(origin, one);
  const named = faults && subject.faultsOf?.(response.body.toString());
  if (!isDeepStrictEqual(named ?? faults, faults)) return [`the faults are ${named}`];
  return judge(one, response);
};

/** Runs cases in their order: a document is served once for those that stand together. */
export const runCases = async (
  subject: Subject,
  cases: readonly Case[],
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  let served: string | undefined;
  let origin: string | undefined;
  for (const one of cases) {
    let reasons = whyNot(subject, one);
    let verdict: Result['verdict'] = 'cannot be said';
    if (reasons.length === 0) {
      if (one.document !== served) origin = await subject.serve(one.document);
      served = one.document;
      reasons = await differencesOf(subject, one, origin).catch((error: Error) => [error.message]);
      verdict = reasons.length > 0 ? 'failed' : 'passed';
    }
    results.push({ case: one, verdict, reasons });
  }
  return results;
};
