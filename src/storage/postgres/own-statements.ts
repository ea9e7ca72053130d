/** Statements of authors on PostgreSQL, their values by the rule of sql/own-values.ts. */

import { type ClientBase, types } from 'pg';
import type { DatabaseDriver } from '../connections/database-driver';
import {
  boundValue,
  plainBytes,
  readInteger,
  readJson,
  readNumeric,
  timeText,
} from '../sql/own-values';
import type { Value } from '../sql/statement';
import { type Column, rowReader, type SentStatement, sendBatch } from './statement-batch';

const { builtins } = types;

const fieldReader = ({ dataTypeID, tableID }: Column): ((text: string) => unknown) => {
  switch (dataTypeID) {
    case builtins.INT8:
      return readInteger;
    case builtins.NUMERIC:
      // An average has more digits than its terms.
      return (text) => (tableID === 0 && text.includes('.') ? Number(text) : readNumeric(text));
    case builtins.JSON:
    case builtins.JSONB:
      return readJson;
    case builtins.TIMESTAMP:
    case builtins.TIMESTAMPTZ:
      return timeText;
    case builtins.DATE:
      return (text) => text;
    default: {
      const read = types.getTypeParser(dataTypeID, 'text');
      return dataTypeID === builtins.BYTEA ? (text) => plainBytes(read(text)) : read;
    }
  }
};

const bind = (given: unknown): Value => {
  const value = boundValue(given);
  return typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : value;
};

/** Tells whether a statement changes nothing, as far as its words say; what it calls may change something nevertheless. */
export const onlyReads = (sql: string): boolean =>
  /^\s*(?:\(\s*)*(?:select|with|values|table|explain|show)\b/i.test(sql) &&
  !/\b(?:insert|update|delete|merge|into|nextval|setval|share)\b/i.test(sql);

/** Makes a statement to be sent. */
export const ownStatement = (
  sql: string,
  values: readonly unknown[],
): Pick<SentStatement, 'sql' | 'values' | 'rowReader'> => ({
  sql,
  values: values.map(bind),
  rowReader: (columns) => rowReader(columns, fieldReader),
});

/** Runs a statement on a connection that nothing else uses. */
export const runOn: DatabaseDriver['runOn'] = (client, sql, values) =>
  new Promise((resolve, reject) => {
    void sendBatch(client as ClientBase, [{ ...ownStatement(sql, values), resolve, reject }]);
  });
