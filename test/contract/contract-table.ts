/** The form in which the contracts' tables are written down as data, and how additions join them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A Schema Object without its documentation (description, example). */
export type SchemaRow = Readonly<Record<string, unknown>>;

/** A parameter or header without its documentation. */
export type ParameterRow = Readonly<Record<string, unknown>> & { readonly schema: SchemaRow };

/** A body: its media types in alphabetical order and the one schema that they share. */
export interface BodyRow {
  readonly required?: boolean;
  readonly media?: readonly string[];
  readonly schema?: SchemaRow;
  readonly headers?: Readonly<Record<string, ParameterRow>>;
}

/** One row of the contract's table of endpoints, without the columns that it leaves empty. */
export interface OperationRow {
  /** Method and path. */
  readonly endpoint: string;
  /** Keyed by location and name: `query status`. */
  readonly parameters?: Readonly<Record<string, ParameterRow>>;
  readonly body?: BodyRow;
  /** By status. */
  readonly success?: Readonly<Record<string, BodyRow>>;
  /** The text of each status listed. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Alternatives, each a set of schemes with their scopes that must all hold. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

/** The table of one contract. */
export interface ContractTable {
  readonly name: string;
  /** Tag to purpose. */
  readonly tags: Readonly<Record<string, string>>;
  /** By tag. */
  readonly operations: Readonly<Record<string, Readonly<Record<string, OperationRow>>>>;
  readonly schemas: Readonly<Record<string, SchemaRow>>;
  readonly securitySchemes: Readonly<Record<string, unknown>>;
  /** Schemas that no operation of the contract uses. */
  readonly unusedSchemas: readonly string[];
  /** Descriptions that the contract gives to fields: `Pet.status` to text. */
  readonly notes: Readonly<Record<string, string>>;
  /** References that lead nowhere. */
  readonly danglingReferences: readonly string[];
  /** Scopes that an operation requires and the scheme does not declare. */
  readonly undeclaredScopes: readonly string[];
}

/** The additions of the document to the contract, in the form of the tables. */
export interface Additions {
  readonly operations: Readonly<Record<string, object>>;
  readonly schemas: Readonly<Record<string, object>>;
}

/** The table of a contract, and what its document adds to it. */
export const readContract = (
  name: string,
): { readonly contract: ContractTable; readonly additions: Additions } =>
  parse(readFileSync(join(__dirname, `${name}.contract.yaml`), 'utf8'));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Joins an addition to a row. Throws where the addition would change what the contract says. */
export const extended = (row: unknown, addition: unknown, place = ''): unknown => {
  if (addition === undefined) return row;
  if (row === undefined) return addition;
  if (!isRecord(row) || !isRecord(addition)) throw new Error(`${place} is the contract's own`);
  const keys = new Set([...Object.keys(row), ...Object.keys(addition)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, extended(row[key], addition[key], `${place}/${key}`)]),
  );
};
