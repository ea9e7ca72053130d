/** Reports in SARIF 2.1.0 (OASIS), for code scanning. */

import { jsonReport } from './json';

/** A finding and its place. */
export interface SarifFinding {
  readonly rule: string;
  readonly level: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly pointer: string;
}

/** Writes a file as a URI reference (RFC 3986); relative paths stay relative, so that the report holds in every checkout. */
const uriOf = (file: string): string =>
  /^https?:/.test(file)
    ? file
    : file
        .split(/[\\/]/)
        .map((step) => encodeURIComponent(step))
        .join('/');

/**
 * Writes a report.
 * @param rules a sentence for each rule that a finding may name
 */
export const sarifReport = (
  files: readonly string[],
  rules: Readonly<Record<string, string>>,
  findings: readonly SarifFinding[],
): string => {
  const names = Object.keys(rules);
  const driver = {
    name: 'spec-first',
    rules: names.map((id) => ({ id, shortDescription: { text: rules[id] } })),
  };
  const run = {
    tool: { driver },
    columnKind: 'utf16CodeUnits',
    artifacts: files.map((file) => ({ location: { uri: uriOf(file) } })),
    results: findings.map(({ rule, level, message, file, line, column, pointer }) => ({
      ruleId: rule,
      ruleIndex: names.indexOf(rule),
      level,
      message: { text: message },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: uriOf(file) },
            region: { startLine: line, startColumn: column },
          },
          ...(pointer !== '' && {
            logicalLocations: [{ fullyQualifiedName: pointer, kind: 'element' }],
          }),
        },
      ],
    })),
  };
  const schema = 'https://json.schemastore.org/sarif-2.1.0.json';
  return jsonReport({ $schema: schema, version: '2.1.0', runs: [run] });
};
