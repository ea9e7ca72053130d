/** Where a document's router is mounted. */

import type { ApiDocument } from './document';

/** The document's base path as Express takes it: what would be a pattern there is escaped (path-to-regexp). */
export const mountPath = ({ basePath }: Pick<ApiDocument, 'basePath'>): string =>
  basePath.replaceAll(/[{}()[\]+?!:*\\]/g, '\\$&') || '/';
