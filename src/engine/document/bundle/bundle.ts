/** What bundling makes of a document's files. */

import type { PlainObject } from '../../lang/plain-object';
import type { Diagnostic } from '../diagnostics/diagnostic';
import type { ComponentPlacement } from './component-placement';
import type { SourceMap } from './source-map';

/** One definition made of one file or several. */
export interface Bundle {
  readonly definition: PlainObject;
  readonly sourceMap: SourceMap;
  /** What components are called whose place had to be called otherwise; undefined for what is no component. */
  readonly componentNames: ComponentPlacement['names'];
  /** Why references that still lead out of the definition cannot be followed. */
  readonly reasons: ReadonlyMap<string, string>;
  /** URIs of the other files. */
  readonly files: ReadonlySet<string>;
  /** Whether the definition is no longer what the root file says. */
  readonly changed: boolean;
  /** Whether references have been written out in their places. */
  readonly replaced: boolean;
  /** What is wrong with references that stand in the wrong place, and with files that cannot be read. */
  readonly diagnostics: readonly Diagnostic[];
}
