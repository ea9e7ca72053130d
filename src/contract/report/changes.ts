/** Changes between two documents, in the order in which people look at them. */

import { groupBy } from '../../engine';
import type { Change } from '../diff/change';

/** What a page shows of a change. */
export interface ShownChange extends Omit<Change, 'rule'> {
  readonly rule: string;
  /** Why the change is accepted, and the last day on which it is, `YYYY-MM-DD`. */
  readonly allowed?: { readonly reason: string; readonly expires?: string | undefined } | undefined;
}

/** Each severity with its sign, its word and the class of its colour; the worst first. */
export const severities = {
  breaking: { sign: '✕', word: 'breaking', tone: 'bad' },
  warning: { sign: '!', word: 'warning', tone: 'warn' },
  compatible: { sign: '✓', word: 'compatible', tone: 'good' },
} as const;

/** The changes of one operation, or of the whole document. */
export interface ChangeGroup extends Pick<ShownChange, 'operation' | 'method' | 'path'> {
  readonly changes: readonly ShownChange[];
  readonly isBreaking: boolean;
}

const ranks = Object.keys(severities);

const rankOf = ({ severity }: ShownChange): number => ranks.indexOf(severity);

const worstOf = ({ changes }: ChangeGroup): number => Math.min(...changes.map(rankOf));

/** By operation: those first that hold the worst, and in each the worst first; else in the given order. */
export const changeGroups = (changes: readonly ShownChange[]): readonly ChangeGroup[] => {
  const groups = groupBy(changes, ({ method, path }) => JSON.stringify([method, path]));
  return [...groups.values()]
    .flatMap((mine) => {
      const [first] = mine;
      if (first === undefined) return [];
      const { operation, method, path } = first;
      const isBreaking = mine.some(({ severity }) => severity === 'breaking');
      const sorted = mine.toSorted((one, other) => rankOf(one) - rankOf(other));
      return [{ operation, method, path, changes: sorted, isBreaking }];
    })
    .toSorted((one, other) => worstOf(one) - worstOf(other));
};
