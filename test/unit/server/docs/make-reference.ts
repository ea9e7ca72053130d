/** The reference of a document given as text, and what it says. */

import { type ApiDocument, parseApiDocument } from '../../../../src/engine/document/document';
import { schemaContext } from '../../../../src/engine/document/model/schema-context';
import { operationAnchors } from '../../../../src/server/docs/reference/anchors';
import { referencePage } from '../../../../src/server/docs/reference/reference-page';
import { exampleTexts } from '../../../../src/server/services/example-texts';

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

/** The page of a document; `openapi` and `info` are filled in where they are missing. */
export const referenceOf = (document: object): Promise<string> =>
  pageOf(
    parseApiDocument(
      'test.yaml',
      JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'Test', version: '1' },
        paths: {},
        ...document,
      }),
    ),
  );

/** The texts between tags, blanks closed up, entities as they stand. */
export const textOf = (page: string): string =>
  page
    .replaceAll(/<style>.*?<\/style>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
