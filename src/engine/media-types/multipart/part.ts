/** One part of a multipart body. */

import type { ParsedMediaType } from '../../http/media-type';

/** What stands above a part's bytes. */
export interface PartHead {
  readonly name: string;
  /** Undefined: the part is no file. */
  readonly fileName: string | undefined;
  /** Undefined: the part does not say. */
  readonly type: ParsedMediaType | undefined;
  /** Lower-case names; of a repeated header all values, joined by commas. No prototype. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A part, whole. */
export interface Part extends PartHead {
  readonly bytes: Uint8Array;
}
