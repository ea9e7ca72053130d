/** What the makers of handlers may ask for. */

import type { Identity } from '../identity/identity';
import type { ServiceStorage } from '../storage/storage';

/** The resources of one service. */
export interface Resources extends ServiceStorage {
  readonly identity: Identity;
  /** The absolute URL at which a stored file is given back. */
  fileUrl(id: string): string;
  /** The media type that the bytes themselves give away. */
  detectMediaType(bytes: Uint8Array): string;
}
