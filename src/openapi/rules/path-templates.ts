/** Path templates and path parameters match each other, and no two templates are the same (OAS 3.0.3, Paths Object). */

import { pointerOf } from '../json-pointer';
import type { Operation } from '../operation';
import type { Finding } from '../problem';
import type { Rule } from './rule';

/** The names in a path template, in order. */
const templateNames = (path: string): string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');

const parameterFindings = (operation: Operation): Finding[] => {
  const inTemplate = templateNames(operation.path);
  const declared = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .map((parameter) => parameter.name);
  const pointer = pointerOf(['paths', operation.path, operation.method]);
  return [
    ...inTemplate
      .filter((name) => !declared.includes(name))
      .map(
        (name) => `The template names {${name}}, but no path parameter of that name is declared`,
      ),
    ...declared
      .filter((name) => !inTemplate.includes(name))
      .map((name) => `The path parameter ${name} does not stand in the template`),
  ].map((message) => ({ severity: 'error' as const, pointer, message }));
};

const identicalTemplates = (operations: readonly Operation[]): Finding[] => {
  const first = new Map<string, string>();
  const findings: Finding[] = [];
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const form = path.replaceAll(/\{[^{}]+\}/g, '{}');
    const earlier = first.get(form);
    if (earlier === undefined) {
      first.set(form, path);
    } else {
      const message = `The template matches the same paths as ${earlier}; it is not served`;
      findings.push({ severity: 'error', pointer: pointerOf(['paths', path]), message });
    }
  }
  return findings;
};

export const pathTemplates: Rule = ({ operations }) => [
  ...operations
    .filter((operation) => operation.unusable === undefined)
    .flatMap((operation) => parameterFindings(operation)),
  ...identicalTemplates(operations),
];
