/** Writes the documentation of a service as Markdown, with the requests of its operations. */

import { documentMarkdown } from '../document/document-markdown';
import type { ApiDocument, SchemaContext } from '../engine';
import type { Operation } from '../model/operation';
import { sampler } from '../schema/samples/shown-value';
import { curlLine } from './curl-line';

/** A service that is documented. */
export interface MarkdownService {
  readonly document: ApiDocument;
  readonly tools: SchemaContext;
  /** The URL that it is reached at, without a trailing slash. */
  readonly url: string;
  /** Tells whether mocks answer an operation. */
  isMocked(operation: Operation): boolean;
}

/** Writes the documentation in parts, some for each operation and one for each schema. */
export const serviceMarkdown = (service: MarkdownService): Iterable<string> => {
  const { document, tools, url, isMocked } = service;
  const sample = sampler(tools);
  return documentMarkdown(document, {
    ...{ url, isMocked },
    curlLine: (operation) => curlLine(document, operation, url, sample, tools),
  });
};
