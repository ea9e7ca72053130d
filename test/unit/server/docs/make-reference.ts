/** The reference of a document given as text, and what it says. */

import { type ApiDocument, parseApiDocument } from '../../../../src/engine/document/document';
import { schemaContext } from '../../../../src/engine/document/model/schema-context';
import { exampleTexts } from '../../../../src/server/docs/reference/example-text';
import { operationAnchors } from '../../../../src/server/docs/reference/reference';
import { referencePage } from '../../../../src/server/docs/reference/reference-page';

/** The page of a loaded document. */
export const pageOf = async (document: ApiDocument): Promise<string> => {
  const page = await referencePage({
    document,
    address: 'https://api.example/base',
    isMocked: () => false,
    writeExample: exampleTexts(schemaContext(document)),
    anchorOf: operationAnchors(document.operations),
  });
  return page.html;
};

const head = 'openapi: 3.0.3\ninfo: { title: Test, version: 1.0.0 }\n';

/** A loaded document of YAML text, which may leave out its head and its paths. */
export const documentOf = (yaml: string): ApiDocument => {
  const text = yaml.includes('info:') ? `openapi: 3.0.3\n${yaml}` : head + yaml;
  return parseApiDocument('test.yaml', text.includes('\npaths:') ? text : `${text}\npaths: {}`);
};

/** The page of a document; its text is as for `documentOf`. */
export const referenceOf = (yaml: string): Promise<string> => pageOf(documentOf(yaml));

/** The texts between tags, blanks closed up, entities as they stand. */
export const textOf = (page: string): string =>
  page
    .replaceAll(/<style>.*?<\/style>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
