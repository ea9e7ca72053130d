/** Diagnostics of documents with their positions, and the rules that they name. */

import { groupBy } from '../../base/group-by';
import { printable } from '../../base/text/printable';

/**
 * One diagnostic. An `error` is where the document breaks a rule of the specification or where something cannot be served;
 * the sentence says which. A `warning` is legal or harmless, and probably not meant.
 */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly rule: RuleName;
  /** JSON Pointer (RFC 6901) into the file. */
  readonly pointer: string;
  /** The error and its remedy, one sentence each. */
  readonly message: string;
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  /** True for a consequence of the diagnostic before it. */
  readonly follows?: boolean;
}

/** A diagnostic before its position in the file is known. */
export interface UnplacedDiagnostic
  extends Pick<Diagnostic, 'severity' | 'rule' | 'pointer' | 'message'> {
  /** True where it concerns the key rather than the value. */
  readonly ofKey?: boolean;
}

/** Writes the line a person reads, on a terminal perhaps: `specs/shop.yaml:12:7 warning: … (/paths/~1a)`. */
export const describeDiagnostic = (diagnostic: Diagnostic): string =>
  printable(
    `${diagnostic.file}:${diagnostic.line}:${diagnostic.column} ${diagnostic.severity}: ${diagnostic.message} (${diagnostic.pointer || '/'})`,
  );

/** Writes the lines of diagnostics; those of a file that say the same are one line, with the other places. */
export const describeAlike = (diagnostics: readonly Diagnostic[]): readonly string[] => {
  const groups = groupBy(diagnostics, ({ file, severity, message }) =>
    JSON.stringify([file, severity, message]),
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const lines = [...new Set(others.map(({ line }) => line))].join(', ');
    const more = others.length > 0 ? `; ${others.length} more in line ${lines}` : '';
    return [describeDiagnostic(first) + more];
  });
};

export const ruleDescriptions = {
  // Files.
  'unreadable-file': 'The document is a file that can be read.',
  'text-encoding': 'Files are text in UTF-8 or UTF-16.',
  yaml: 'Files are YAML 1.2 or JSON, one document each.',
  'duplicate-key': 'The keys of a map are unique.',
  'too-large': 'Files are within the limits of size, depth and repetition.',
  'empty-file': 'The document is not empty.',
  'no-openapi': 'The file is an OpenAPI document.',
  version: 'The document is one of a version of OpenAPI that is served.',
  overlay: 'Overlays are written as their specification says, and change what is there.',
  // The form of objects.
  'required-field': 'Required fields are there.',
  'field-kind': 'Fields hold what the specification says.',
  'unknown-field': 'Fields are those of the specification, or begin with x-.',
  'key-pattern': 'Paths, statuses, component names and media types are written as they must be.',
  address: 'URLs and email addresses are written as such.',
  'exclusive-fields': 'Fields that exclude each other do not stand together.',
  // References.
  reference: 'References lead somewhere.',
  identifier: 'Identifiers and anchors of schemas are unique.',
  'misplaced-reference': 'References stand where the specification allows them.',
  // What is served.
  'nothing-served': 'The document has an operation that can be served.',
  'unserved-operation': 'Each operation can be served.',
  server: 'Server URLs can be made of their templates.',
  'document-version':
    'The version of a document rises with its changes, as semantic versioning asks.',
  'server-path': 'No two documents are served at the same path.',
  'ignored-servers': 'Paths and operations have no servers of their own.',
  tag: 'Each tag is unique.',
  security: 'Requirements name declared schemes and scopes.',
  'unverified-scheme': 'Security schemes that operations require are verified.',
  'oauth-flow': 'OAuth flows name the addresses that they need.',
  'path-template': 'Path templates are well formed.',
  'ambiguous-template': 'Names in one segment of a path are few, and have text between them.',
  'identical-paths': 'No two path templates match the same paths.',
  'path-parameter': 'Path parameters and the names in the template are the same.',
  'operation-id': 'Each operation has an operationId of its own.',
  deprecation:
    '`x-deprecated-since` and `x-sunset` are dates, in this order, of what is deprecated.',
  mcp: '`x-mcp` is false, or a name and a description as a tool for agents.',
  parameter: 'Parameters say where they are and what they hold, in one way.',
  'ignored-parameter': 'No header parameter repeats what other fields declare.',
  'repeated-parameter': 'The parameters of a list are unique.',
  'parameter-style': 'Parameters have a style that is defined for their place.',
  'request-body': 'Methods whose bodies have a meaning declare one, and no others do.',
  method: 'Servers can receive the method of each operation.',
  'unreachable-response': 'Each response can be sent.',
  encoding: 'Encodings by position are those of the items of a list.',
  'ignored-items': 'Only sequential media types have an itemSchema.',
  'unusable-body': 'Bodies are in formats that can carry what their schemas describe.',
  resource: '`x-spec-first-resource` describes a resource of the document.',
  charset: 'Responses are in the charset that their media types name.',
  'error-schema': 'Schemas of error responses can express errors.',
  // Schemas.
  dialect: 'Schemas are in a dialect of JSON Schema that is known.',
  'schema-keyword': 'Schemas have keywords that can be enforced.',
  'required-property': 'Required properties are described.',
  'repeated-value': 'Names and values of lists that are sets are unique.',
  discriminator: 'Discriminators name a required property and schemas that are there.',
  'typed-bytes': 'Texts have no media type of octets, unless they are encoded.',
  'foreign-pattern': 'Patterns are regular expressions of ECMA-262.',
  'slow-pattern': 'Patterns take time in proportion to the text.',
  'ambiguous-union': 'The alternatives of unions that contain themselves can be distinguished.',
  default: 'Defaults fit their schemas.',
  example: 'Examples fit their schemas.',
  'xml-name': 'Schemas have legal and distinct names in XML.',
} as const;

/** The name of a rule. */
export type RuleName = keyof typeof ruleDescriptions;

/** Makes diagnostics of a severity and a rule. */
export const diagnosticsOf =
  (severity: Diagnostic['severity']) =>
  (rule: RuleName) =>
  (pointer: string, message: string, ofKey = false): UnplacedDiagnostic => {
    return { severity, rule, pointer, message, ofKey };
  };

/** Makes errors of a rule. */
export const errorOf = diagnosticsOf('error');

/** Makes warnings of a rule. */
export const warningOf = diagnosticsOf('warning');

/** Removes from the second list, one for one, the entries that the first has by that key. */
const without = (
  known: readonly Diagnostic[],
  found: readonly Diagnostic[],
  keyOf: (one: Diagnostic) => string,
): readonly Diagnostic[] => {
  const keys = known.map(keyOf);
  return found.filter((diagnostic) => {
    const at = keys.indexOf(keyOf(diagnostic));
    if (at >= 0) keys.splice(at, 1);
    return at < 0;
  });
};

/** Gives the wanted problems, each after the one that it is a consequence of. */
export const withCauses = (
  problems: readonly Diagnostic[],
  wanted: readonly Diagnostic[],
): readonly Diagnostic[] => {
  const kept = new Set(wanted);
  let cause: Diagnostic | undefined;
  for (const problem of problems) {
    if (problem.follows !== true) cause = problem;
    else if (kept.has(problem) && cause !== undefined) kept.add(cause);
  }
  return problems.filter((problem) => kept.has(problem));
};

/** Finds the errors that the served version does not have, or has fewer of, each after the one that it is a consequence of. */
export const newErrors = (
  served: readonly Diagnostic[],
  read: readonly Diagnostic[],
): readonly Diagnostic[] => {
  const isError = ({ severity }: Diagnostic): boolean => severity === 'error';
  const [known, found] = [served.filter(isError), read.filter(isError)];
  const sentence = (diagnostic: Diagnostic) =>
    JSON.stringify([diagnostic.file, diagnostic.rule, diagnostic.message]);
  const sentenceAndPlace = (diagnostic: Diagnostic) =>
    JSON.stringify([sentence(diagnostic), diagnostic.pointer]);
  // What moved to another place in a list says the same as before, and is no more than before.
  const gone = without(found, known, sentenceAndPlace);
  const added = without(gone, without(known, found, sentenceAndPlace), sentence);
  return withCauses(read, added);
};
