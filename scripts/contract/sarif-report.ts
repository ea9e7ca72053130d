/** A report for code scanning: SARIF 2.1.0 (OASIS). */

import { type Diagnostic, type RuleName, ruleDescriptions } from '../../src/engine';
import type { Report } from './report';

const schema = 'https://json.schemastore.org/sarif-2.1.0.json';

const isRuleName = (name: string): name is RuleName => Object.hasOwn(ruleDescriptions, name);

const ruleNames = Object.keys(ruleDescriptions).filter(isRuleName);

/** A file as a URI reference (RFC 3986); relative paths stay relative, so that the report holds in every checkout. */
const uriOf = (file: string): string =>
  /^https?:/.test(file)
    ? file
    : file
        .split(/[\\/]/)
        .map((step) => encodeURIComponent(step))
        .join('/');

const result = ({ rule, severity, message, file, line, column, pointer }: Diagnostic): object => ({
  ruleId: rule,
  ruleIndex: ruleNames.indexOf(rule),
  level: severity,
  message: { text: message },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: uriOf(file) },
        region: { startLine: line, startColumn: column },
      },
      ...(pointer === ''
        ? {}
        : { logicalLocations: [{ fullyQualifiedName: pointer, kind: 'element' }] }),
    },
  ],
});

export const sarifReport = ({ files, problems }: Report): string => {
  const driver = {
    name: 'contract',
    rules: ruleNames.map((id) => ({ id, shortDescription: { text: ruleDescriptions[id] } })),
  };
  const run = {
    tool: { driver },
    columnKind: 'utf16CodeUnits',
    artifacts: files.map((file) => ({ location: { uri: uriOf(file) } })),
    results: problems.map(result),
  };
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] }, null, 2)}\n`;
};
