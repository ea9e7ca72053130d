/** Documents given as YAML text. */

import { type ApiDocument, parseApiDocument } from '../../../../src/engine/document/api-document';

const head = 'openapi: 3.0.3\ninfo: { title: Test, version: 1.0.0 }\n';

/** A loaded document of YAML text, which may leave out its head and its paths. */
export const documentOf = (yaml: string): ApiDocument => {
  const text = yaml.includes('info:') ? `openapi: 3.0.3\n${yaml}` : head + yaml;
  return parseApiDocument('test.yaml', text.includes('\npaths:') ? text : `${text}\npaths: {}`);
};
