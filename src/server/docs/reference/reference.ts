/** What every part of the reference is written from. */

import type { ApiDocument, MediaType, Operation } from '../../../engine';

/** Writes a value in a media type as the service would; undefined where it has no text there. */
export type WriteExample = (
  media: Pick<MediaType, 'key' | 'schema'>,
  value: unknown,
) => string | undefined;

/** A document and how it is written about. */
export interface Reference {
  readonly document: ApiDocument;
  /** The origin and the base path. */
  readonly address: string;
  readonly writeExample: WriteExample;
  /** Whether an operation has a mock in place of a handler. */
  readonly isMocked: (operation: Operation) => boolean;
  /** The id of an operation's section. */
  readonly anchorOf: (operation: Operation) => string;
}
