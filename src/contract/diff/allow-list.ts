/** Changes that are accepted, and until when: what they name does not count. */

import { parseDocument } from 'yaml';
import { errorMessage } from '../../base/error-message';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { nearestName } from '../../base/text/nearest-name';
import { printable } from '../../base/text/printable';
import type { Change } from './place-changes';
import { type DiffRuleId, diffRules, isDiffRule } from './rules/rules';

/** An accepted change; what it does not name may be anything. */
export interface AllowEntry {
  readonly rule: DiffRuleId;
  readonly operation?: string | undefined;
  readonly pointer?: string | undefined;
  /** The reason for readers. */
  readonly reason: string;
  /** The last day on which it counts, `YYYY-MM-DD` in UTC; undefined: always. */
  readonly expires?: string | undefined;
}

const matches = (entry: AllowEntry, change: Change): boolean =>
  entry.rule === change.rule &&
  (entry.operation === undefined || entry.operation === change.operation) &&
  (entry.pointer === undefined || entry.pointer === change.pointer);

/**
 * Takes out what is accepted, and tells the entries that would match, were they not expired, and those that match no change.
 * @param today `YYYY-MM-DD` in UTC
 */
export const withoutAllowed = (
  changes: readonly Change[],
  entries: readonly AllowEntry[],
  today: string,
) => {
  const isExpired = ({ expires }: AllowEntry): boolean => expires !== undefined && expires < today;
  const used = entries.filter((entry) => changes.some((change) => matches(entry, change)));
  const valid = used.filter((entry) => !isExpired(entry));
  return {
    changes: changes.filter((change) => !valid.some((entry) => matches(entry, change))),
    expired: used.filter(isExpired),
    unmatched: entries.filter((entry) => !used.includes(entry)),
  };
};

/** An entry in words. */
export const allowEntryText = ({ rule, operation, pointer }: AllowEntry): string =>
  printable(
    [
      rule,
      ...(operation === undefined ? [] : [`in ${operation}`]),
      ...(pointer ? [pointer] : []),
    ].join(' '),
  );

/** A list that cannot be used. The message is a sentence that says what to change. */
export class InvalidAllowFile extends Error {
  constructor(message: string) {
    super(printable(message));
    this.name = 'InvalidAllowFile';
  }
}

const keys = ['rule', 'operation', 'pointer', 'reason', 'expires'] as const;

const suggestion = (name: string, known: readonly string[]): string => {
  const near = nearestName(name, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
};

const requireKnownKeys = (value: PlainObject, known: readonly string[], where: string): void => {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new InvalidAllowFile(
    `${where} has the unknown key ${unknown}; it may have ${known.join(', ')}.${suggestion(unknown, known)}`,
  );
};

const textIn = (value: PlainObject, key: (typeof keys)[number], where: string) => {
  const text = value[key];
  if (text === undefined || typeof text === 'string') return text;
  throw new InvalidAllowFile(`${where} has a ${key} that is no text.`);
};

const readEntry = (value: unknown, index: number): AllowEntry => {
  const where = `Entry ${index + 1} of allow`;
  if (!isPlainObject(value)) throw new InvalidAllowFile(`${where} is no map.`);
  requireKnownKeys(value, keys, where);
  const [rule, reason] = [textIn(value, 'rule', where), textIn(value, 'reason', where)];
  if (rule === undefined) throw new InvalidAllowFile(`${where} names no rule.`);
  if (!isDiffRule(rule)) {
    const near =
      suggestion(rule, Object.keys(diffRules)) || ' The report names the rule of each change.';
    throw new InvalidAllowFile(`${where} names the unknown rule ${rule}.${near}`);
  }
  if (reason === undefined || reason.trim() === '') {
    throw new InvalidAllowFile(`${where} gives no reason.`);
  }
  const expires = textIn(value, 'expires', where);
  const isDay = (text: string): boolean =>
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    new Date(text).toISOString().startsWith(text);
  if (expires !== undefined && !isDay(expires)) {
    throw new InvalidAllowFile(`${where} expires on ${expires}, which is no day YYYY-MM-DD.`);
  }
  const [operation, pointer] = [textIn(value, 'operation', where), textIn(value, 'pointer', where)];
  return { rule, operation, pointer, reason, expires };
};

/**
 * Reads a list of accepted changes.
 * @throws InvalidAllowFile
 */
export const readAllowFile = (text: string): readonly AllowEntry[] => {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) {
    throw new InvalidAllowFile(`It is no YAML: ${errorMessage(error).split('\n', 1)[0]}`);
  }
  const value: unknown = document.toJS();
  if (!isPlainObject(value)) throw new InvalidAllowFile('It is no map with the key allow.');
  requireKnownKeys(value, ['allow'], 'It');
  const list = value['allow'] ?? [];
  if (!Array.isArray(list)) throw new InvalidAllowFile('Its allow is no list.');
  return list.map(readEntry);
};
