/** A short account of an edit: which operations came, went and changed, and what that means for clients. */

import { type ApiDocument, describeDiagnostic } from '../../src/engine';
import type { App } from '../../src/server/app';

/** A change of a contract. */
export interface ContractChange {
  readonly severity: 'breaking' | 'warning' | 'compatible';
  /** The operationId; null where the operation has none, or the change is the whole document's. */
  readonly operation: string | null;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Changes beyond these are counted. */
const most = 20;

/** The changes as lines, the worst first. */
export const accountOf = (changes: readonly ContractChange[]): readonly string[] => {
  const severities = ['breaking', 'warning', 'compatible'] as const;
  const lines = severities.flatMap((severity) =>
    changes
      .filter((change) => change.severity === severity)
      .map(
        ({ operation, message, file, line, column }) =>
          `  ${severity}: ${operation === null ? '' : `${operation}: `}${message} (${file}:${line}:${column})`,
      ),
  );
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `  and ${more} more`] : lines;
};

type Operations = ReadonlyMap<string, { readonly text: string; readonly pointer: string }>;

const escapePointer = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');

/** Operations with what the document says of each. */
const operationsOf = ({ operations, definition }: ApiDocument): Operations =>
  new Map(
    operations.map(({ operationId, method, path }) => {
      const item: object = definition.paths[path] ?? {};
      const pointer = `/paths/${escapePointer(path)}/${method}`;
      const own: unknown = Reflect.get(item, method);
      const all = [path, method, own, Reflect.get(item, 'parameters')];
      return [operationId, { text: JSON.stringify(all, withBigints), pointer }];
    }),
  );

const withBigints = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

/** The changes that can be told without comparing schemas: operations that came, went, or say something else. */
export const changedOperations = (old: ApiDocument, now: ApiDocument): ContractChange[] => {
  const [before, after] = [operationsOf(old), operationsOf(now)];
  const change = (
    document: ApiDocument,
    severity: ContractChange['severity'],
    operation: string,
    message: string,
  ): ContractChange => {
    const pointer = (document === old ? before : after).get(operation)?.pointer ?? '';
    const place = document.locate({
      ...{ severity: 'warning', rule: 'operation-id', pointer, message },
      ofKey: true,
    });
    return { ...place, severity, operation };
  };
  const removed = [...before.keys()].filter((id) => !after.has(id));
  const added = [...after.keys()].filter((id) => !before.has(id));
  const changed = [...after].filter(([id, { text }]) => (before.get(id)?.text ?? text) !== text);
  return [
    ...removed.map((id) => change(old, 'breaking', id, 'The operation is gone')),
    ...changed.map(([id]) => change(now, 'warning', id, 'The operation has changed')),
    ...added.map((id) => change(now, 'compatible', id, 'The operation is new')),
  ];
};

/** What an application serves, as far as an account of it tells. */
export type AccountedApp = Pick<App, 'documents' | 'problems' | 'handlerFindings'>;

const newIn = (before: readonly string[], now: readonly string[]): readonly string[] =>
  now.filter((line) => !before.includes(line));

const documentLines = (old: AccountedApp, now: AccountedApp): readonly string[] => {
  const namesOf = ({ documents }: AccountedApp) => documents.map(({ name }) => name);
  const isIn = (names: readonly string[]) => (name: string) => names.includes(name);
  const [before, after] = [namesOf(old), namesOf(now)];
  return [
    ...before.filter((name) => !isIn(after)(name)).map((name) => `${name}: no longer served`),
    ...now.documents.flatMap((document) => {
      const { name, basePath, operations, text } = document;
      const past = old.documents.find((one) => one.name === name);
      if (past === undefined) {
        return [`${name}: served at ${basePath || '/'} (${operations.length} operations)`];
      }
      if (past.text === text && past.basePath === basePath) return [];
      const moved = past.basePath === basePath ? '' : `, now at ${basePath || '/'}`;
      return [`${name}: changed${moved}`, ...accountOf(changedOperations(past, document))];
    }),
  ];
};

/** What there is to say when one application has taken the place of another. */
export const accountLines = (old: AccountedApp, now: AccountedApp): readonly string[] => {
  const findings = ({ handlerFindings }: AccountedApp) =>
    handlerFindings.map(({ message }) => message);
  // Problems move with the lines; what they say stays.
  const said = ({ problems }: AccountedApp) => problems.map(({ message }) => message);
  const newProblems = newIn(said(old), said(now));
  return [
    ...documentLines(old, now),
    ...now.problems.filter(({ message }) => newProblems.includes(message)).map(describeDiagnostic),
    ...newIn(findings(old), findings(now)),
  ];
};
