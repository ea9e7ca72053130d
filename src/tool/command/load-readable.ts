/** Loads documents for commands that report those that cannot be read among others. */

import { recoverFrom } from '../../base/recover';
import type { Diagnostic } from '../../document/diagnostics/diagnostic';
import { UnreadableDocument } from '../../document/source/source-text';
import { type ApiDocument, loadApiDocument } from '../../engine';

/** Loads a document. Resolves to the diagnostic of one that cannot be read. */
export const loadReadable = (
  ...given: Parameters<typeof loadApiDocument>
): Promise<ApiDocument | Diagnostic> =>
  loadApiDocument(...given).catch(recoverFrom(UnreadableDocument, (error) => error.diagnostic));

/** Tells of the diagnostic that stands for a document. */
export const isDiagnostic = (loaded: object | undefined): loaded is Diagnostic =>
  loaded !== undefined && 'severity' in loaded;
