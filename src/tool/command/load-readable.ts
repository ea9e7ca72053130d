/** Loads documents for commands that report those that cannot be read among others. */

import { recoverFrom } from '../../base/recover';
import type { Diagnostic } from '../../document/diagnostics/diagnostic';
import { UnreadableDocument } from '../../document/source/source-text';
import { type ApiDocument, loadApiDocument } from '../../engine';

/** A document with its problems, or those of a file that cannot be read. */
export interface ReadDocument {
  readonly document: ApiDocument | undefined;
  readonly problems: readonly Diagnostic[];
}

/** Loads a document. */
export const loadReadable = (...given: Parameters<typeof loadApiDocument>): Promise<ReadDocument> =>
  loadApiDocument(...given).then(
    (document) => ({ document, problems: document.diagnostics }),
    recoverFrom(UnreadableDocument, ({ diagnostic }) => {
      return { document: undefined, problems: [diagnostic] };
    }),
  );
