/** Changes that are accepted, and until when: what they name does not count. */

import type { ErrorObject } from 'ajv';
import { parseDocument } from 'yaml';
import { errorMessage } from '../../base/error-message';
import { pointerSteps } from '../../base/json-pointer';
import { lazy } from '../../base/memoize';
import { nearestName } from '../../base/text/nearest-name';
import { printable } from '../../base/text/printable';
import { isDate } from '../../schema/validation/checks/formats';
import type { Change } from './place-changes';
import { type DiffRuleId, diffRules } from './rules/rules';

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

const text = { type: 'string' } as const;

/** The form of the file. */
const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    allow: {
      type: 'array',
      items: {
        type: 'object',
        required: ['rule', 'reason'],
        additionalProperties: false,
        properties: {
          rule: { ...text, enum: Object.keys(diffRules) },
          operation: text,
          pointer: text,
          reason: { ...text, pattern: '\\S' },
          expires: { ...text, format: 'day' },
        },
      },
    },
  },
};

/** Made where a file is read: most commands read none, and would load the validator for nothing. */
const isAllowFile = lazy(() => {
  const { Ajv } = require('ajv') as typeof import('ajv');
  return new Ajv({ formats: { day: isDate }, verbose: true }).compile<{
    readonly allow?: readonly AllowEntry[];
  }>(schema);
});

const suggestion = (name: string, known: readonly string[]): string => {
  const near = nearestName(name, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
};

/** Says what to change. */
const faultText = ({ instancePath, keyword, params, parentSchema, data }: ErrorObject): string => {
  const [, index, key] = pointerSteps(instancePath);
  const where = index === undefined ? 'It' : `Entry ${Number(index) + 1} of allow`;
  if (keyword === 'additionalProperties') {
    const unknown = params['additionalProperty'];
    const known = Object.keys(parentSchema?.['properties']);
    return `${where} has the unknown key ${unknown}; it may have ${known.join(', ')}.${suggestion(unknown, known)}`;
  }
  if (keyword === 'enum') {
    const near = suggestion(String(data), Object.keys(diffRules));
    return `${where} names the unknown rule ${data}.${near || ' The report names the rule of each change.'}`;
  }
  if (keyword === 'format') return `${where} expires on ${data}, which is no day YYYY-MM-DD.`;
  if (keyword === 'pattern' || params['missingProperty'] === 'reason')
    return `${where} gives no reason.`;
  if (keyword === 'required') return `${where} names no rule.`;
  if (key !== undefined) return `${where} has a ${key} that is no text.`;
  if (index !== undefined) return `${where} is no map.`;
  return instancePath === '' ? 'It is no map with the key allow.' : 'Its allow is no list.';
};

/**
 * Reads a list of accepted changes.
 * @throws InvalidAllowFile
 */
export const readAllowFile = (source: string): readonly AllowEntry[] => {
  const document = parseDocument(source);
  const [syntaxError] = document.errors;
  if (syntaxError !== undefined) {
    throw new InvalidAllowFile(`It is no YAML: ${errorMessage(syntaxError).split('\n', 1)[0]}`);
  }
  const value: unknown = document.toJS();
  const validate = isAllowFile();
  if (validate(value)) return value.allow ?? [];
  const [fault] = validate.errors ?? [];
  throw new InvalidAllowFile(fault ? faultText(fault) : 'It does not fit its schema.');
};
