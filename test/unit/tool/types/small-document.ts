/** Small documents for the printers: the parts that matter to a test, as YAML. */

import { parseApiDocument } from '../../../../src/engine/document/api-document';
import { printTypes } from '../../../../src/tool/types/print-types';

const head = (version: string) => `openapi: ${version}\ninfo: { title: Small, version: 1.0.0 }\n`;

/** Prints the types of specs/small.yaml. */
export const printDocument = (yaml: string, version = '3.0.3'): string =>
  printTypes(parseApiDocument('specs/small.yaml', head(version) + yaml), 'small.yaml by a test');

/** Prints the types of one operation: the text of its member, without its comment. */
export const printOneOperation = (operation: string, rest = '', version = '3.0.3'): string => {
  const lines = operation.trim().replaceAll(/^/gm, '      ');
  const yaml = `paths:\n  /a/{id}:\n    post:\n      operationId: act\n${lines}\n${rest}`;
  const text = printDocument(yaml, version);
  const start = text.indexOf('  act: {');
  return text.slice(start, text.indexOf('\n  };', start));
};
