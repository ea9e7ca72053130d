/** Counts what a run has reached of what one operation declares. */

import { isPlainObject } from '../../../base/plain-object';
import { itemsOf, type SchemaContext } from '../../../engine';
import {
  type Operation,
  type ParameterLocation,
  parameterLocations,
  requestMethod,
} from '../../../model/operation';
import { needsCredential } from '../../../requests/credentials';
import { fieldSchema } from '../../../requests/item-contents';
import type { RequestCase } from '../../../requests/request-case';
import { planOf } from '../../../schema/samples/sample-plan';
import { type CheckedAnswer, isProtected } from '../checks/check-answer';
import type {
  Covered,
  CoveredField,
  CoveredSecurity,
  OperationCoverage,
  SecurityKind,
} from '../test-report';

/** A parameter, or a top-level property of the body; the body itself has the empty name. */
export interface RequestField {
  readonly in: ParameterLocation | 'body';
  readonly name: string;
}

interface FieldCounts {
  valid: number;
  invalid: number;
  refused: number;
  failed: number;
  hasInvalid: boolean;
}

/** The fields that a request gives a value: parameters, the body, and its properties or those of its items. */
export const fieldsOf = ({ parameters, body }: RequestCase): RequestField[] => {
  const fields = parameterLocations.flatMap((location): RequestField[] =>
    Object.keys(parameters[location]).map((name) => ({ in: location, name })),
  );
  if (body === undefined) return fields;
  const { content, value } = body;
  const values = itemsOf(content) !== undefined && Array.isArray(value) ? value : [value];
  const objects = values.filter((one) => isPlainObject(one));
  const names = ['', ...new Set(objects.flatMap((one) => Object.keys(one)))];
  return [...fields, ...names.map((name) => ({ in: 'body' as const, name }))];
};

/** The fields that an operation declares and a request may have. */
export const declaredFields = (
  { parameters, requestBody }: Operation,
  { shapeOf }: SchemaContext,
): RequestField[] => [
  ...parameters.map(({ in: location, name }) => ({ in: location, name })),
  ...(requestBody?.content ?? []).flatMap((content) => {
    const schema = fieldSchema(content);
    const plan = planOf([schema]);
    const names = [...shapeOf(schema).properties]
      .filter(([name, { readOnly }]) => !readOnly && plan.propertyAt(name) !== undefined)
      .map(([name]) => name);
    return ['', ...names].map((name) => ({ in: 'body' as const, name }));
  }),
];

/** The reasons why no client can provoke a status, by its first digit or as a whole. */
const unprovoked: Readonly<Record<string, string>> = {
  5: 'no request brings a sound server to it',
  429: 'it takes more requests than a test sends',
  413: 'it takes a larger body than a test sends',
};

const reasonFor = (key: string, works: boolean): string => {
  if (!works) return 'no valid request succeeded';
  if (key === 'default') return 'every answer had a status of its own';
  if (key === '401' || key === '403') return 'no request without the right credential brought it';
  return key.startsWith('4') ? 'no wrong request brought it' : 'no valid request brought it';
};

/** Gives the reason why values of a field are missing; undefined where none are. */
const fieldReason = ({ valid, invalid, refused, hasInvalid }: FieldCounts, works: boolean) => {
  if (valid === 0) return 'no valid value was sent';
  if (!hasInvalid) return 'every value that can be sent is valid';
  if (!works) return 'no valid request succeeded';
  return invalid > 0 && refused === 0 ? 'no invalid value was refused' : undefined;
};

const securityReason = (kind: SecurityKind, isRefused: boolean): string => {
  if (kind === 'right' && isRefused) return 'no valid request succeeded';
  if (kind === 'too-few-scopes') return 'no credential with fewer scopes was given';
  if (kind === 'right') return 'no credential for it was given';
  return kind === 'wrong-place'
    ? 'no credential was given that could be misplaced'
    : 'requests need no credentials';
};

/** Counts of what was reached, and of what failed, by key. */
class Tally {
  readonly #reached = new Map<string, number>();
  readonly #failed = new Map<string, number>();

  reach(key: string): void {
    this.#reached.set(key, (this.#reached.get(key) ?? 0) + 1);
  }

  fail(key: string): void {
    this.#failed.set(key, (this.#failed.get(key) ?? 0) + 1);
  }

  /** Sums up a key: the reason is given, and it may not count, where it was never reached. */
  covered(key: string, reason: string, counts: boolean) {
    const [count, failed] = [this.#reached.get(key) ?? 0, this.#failed.get(key) ?? 0];
    return count > 0 ? { count, failed, counts: true } : { count, failed, reason, counts };
  }
}

export class CoverageRecorder {
  readonly #operation: Operation;
  readonly #statuses = new Tally();
  readonly #requestTypes = new Tally();
  readonly #responseTypes = new Tally();
  readonly #security = new Tally();
  readonly #fields = new Map<string, FieldCounts>();
  /** The bodies that had a value at a place where none came back. */
  readonly #missing = new Map<string, Set<unknown>>();
  readonly #returned = new Set<string>();
  requests = 0;
  failures = 0;
  /** True once a valid request has succeeded. */
  works = false;
  /** The statuses of valid requests; 0 where none came. */
  readonly answers = new Set<number>();
  /** The reason why no request can be made. */
  skipped: string | undefined;

  constructor(operation: Operation, fields: readonly RequestField[]) {
    this.#operation = operation;
    for (const field of fields) this.#countsOf(field);
  }

  recordAnswer(request: RequestCase | undefined, isValid: boolean, checked: CheckedAnswer): void {
    this.requests += 1;
    const { response, body, status = 0 } = checked;
    if (response !== undefined) this.#statuses.reach(response.key);
    if (response !== undefined && body !== undefined) {
      this.#responseTypes.reach(`${response.key} ${body.content.key}`);
    }
    if (request === undefined || !isValid) return;
    this.answers.add(status);
    if ((status >= 200 && status < 300) || response?.key.startsWith('3')) this.works = true;
    if (request.body) this.#requestTypes.reach(request.body.content.key);
    for (const field of fieldsOf(request)) this.#countsOf(field).valid += 1;
  }

  recordInvalid(field: RequestField, isRefused: boolean): void {
    const counts = this.#countsOf(field);
    counts.hasInvalid = true;
    counts.invalid += 1;
    if (isRefused) counts.refused += 1;
  }

  /** Notes at which places what was written came back, and at which it did not. */
  recordReturn(written: unknown, returned: readonly string[], missing: readonly string[]): void {
    for (const place of returned) this.#returned.add(place);
    for (const place of missing) {
      this.#missing.set(place, (this.#missing.get(place) ?? new Set()).add(written));
    }
  }

  recordSecurity(kind: SecurityKind): void {
    this.#security.reach(kind);
  }

  recordFailure(
    place: RequestField | undefined,
    kind: SecurityKind | undefined,
    statusKey: string | undefined,
  ): void {
    this.failures += 1;
    if (place !== undefined) this.#countsOf(place).failed += 1;
    if (kind !== undefined) this.#security.fail(kind);
    if (statusKey !== undefined) this.#statuses.fail(statusKey);
  }

  #countsOf({ in: location, name }: RequestField): FieldCounts {
    const key = `${location} ${name}`;
    const known = this.#fields.get(key);
    if (known !== undefined) return known;
    const counts = { valid: 0, invalid: 0, refused: 0, failed: 0, hasInvalid: false };
    this.#fields.set(key, counts);
    return counts;
  }

  #statusesCovered(): Covered[] {
    return this.#operation.responses.map(({ key }) => {
      const never = unprovoked[key] ?? unprovoked[key.charAt(0)];
      const reason = never ?? this.skipped ?? reasonFor(key, this.works);
      const counts = never === undefined && key !== 'default';
      return { key, ...this.#statuses.covered(key, reason, counts) };
    });
  }

  #types(keys: readonly string[], tally: Tally, otherwise: string): Covered[] {
    return keys.map((key) => {
      const counts = !/^(?:5|429|413|default)/.test(key);
      return { key, ...tally.covered(key, this.skipped ?? otherwise, counts) };
    });
  }

  #fieldsCovered(): CoveredField[] {
    return [...this.#fields].map(([key, recorded]) => {
      const [location = 'body', ...name] = key.split(' ');
      // A server that refuses everything gives no information by it.
      const counts = { ...recorded, refused: this.works ? recorded.refused : 0 };
      const reason = this.skipped ?? fieldReason(counts, this.works);
      return {
        in: location as CoveredField['in'],
        name: name.join(' '),
        ...counts,
        ...(reason === undefined ? {} : { reason }),
      };
    });
  }

  #securityCovered(): CoveredSecurity[] {
    if (!isProtected(this.#operation)) return [];
    const isAsked = needsCredential(this.#operation);
    const kinds: SecurityKind[] = ['right', 'none', 'wrong', 'wrong-place', 'too-few-scopes'];
    return kinds.map((kind) => {
      const reason = this.skipped ?? securityReason(kind, this.requests > 0 && !this.works);
      const counts = kind === 'right' || (isAsked && (kind === 'none' || kind === 'wrong'));
      return { kind, ...this.#security.covered(kind, reason, counts) };
    });
  }

  summary(document: string): OperationCoverage {
    const { method, path, operationId, requestBody, responses } = this.#operation;
    const statuses = this.#statusesCovered();
    const requestMediaTypes = this.#types(
      (requestBody?.content ?? []).map(({ key }) => key),
      this.#requestTypes,
      'no body of it could be made',
    );
    const responseMediaTypes = this.#types(
      responses.flatMap(({ key, content }) => content.map((media) => `${key} ${media.key}`)),
      this.#responseTypes,
      'no answer had it',
    );
    const fields = this.#fieldsCovered();
    const security = this.#securityCovered();
    const items = [...statuses, ...requestMediaTypes, ...responseMediaTypes, ...security]
      .filter(({ counts }) => counts)
      .map(({ count }) => count > 0);
    const ofFields = fields.flatMap(({ valid, refused, hasInvalid }) =>
      hasInvalid ? [valid > 0, refused > 0] : [valid > 0],
    );
    const all = [...items, ...ofFields];
    const missing = [...this.#missing].filter(([place]) => !this.#returned.has(place));
    return {
      document,
      operation: operationId,
      endpoint: `${requestMethod(method)} ${path}`,
      requests: this.requests,
      failures: this.failures,
      statuses,
      requestMediaTypes,
      responseMediaTypes,
      fields,
      security,
      unreturned: missing.map(([place, bodies]) => ({ place, sent: bodies.size })),
      covered: all.filter(Boolean).length,
      total: all.length,
    };
  }
}
