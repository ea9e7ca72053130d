/** The text of a handler that is still to be written, formatted as the project's own code. */

import { propertyKey, quoteText } from '../types/type-text';

/** The longest line that the formatter leaves. */
export const lineWidth = 100;

/**
 * A handler that answers 501, as a member of an object.
 * @param indent what its lines begin with
 */
export const printStub = (operationId: string, indent: string): string => {
  const head = `${indent}async ${propertyKey(operationId)}(`;
  const step = indent.includes('\t') ? '\t' : '  ';
  const line = `${head}{ notImplemented }) {`;
  const start =
    line.length <= lineWidth ? line : `${head}{\n${indent}${step}notImplemented,\n${indent}}) {`;
  return `${start}\n${indent}${step}throw notImplemented();\n${indent}},`;
};

/** The import of one type. */
export const typeImport = (name: string, from: string): string =>
  `import type { ${name} } from ${quoteText(from)};`;
