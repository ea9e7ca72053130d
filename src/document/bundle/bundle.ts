/** The result of bundling a document's files, and the text that is served of it. */

import { pointerOf, pointerSteps } from '../../base/json-pointer';
import type { PlainObject } from '../../base/plain-object';
import { mapSteps, type Steps } from '../../base/run-in-steps';
import type { Diagnostic } from '../diagnostics/diagnostic';
import type { BundledReferences } from '../references/references';
import type { SchemaResources } from '../references/schema-resources';
import type { SourceFile, SourceLocation } from '../source/source-files';
import { definitionYamlParts } from './write-definition';

/** The places in files that the parts of a definition come from. */
export class SourceMap {
  readonly #root: SourceFile;
  readonly #known: Map<string, SourceLocation>;

  /** Begins with everything coming from the root file, and from its overlays. */
  constructor(root: SourceFile) {
    this.#root = root;
    this.#known = new Map([['', { file: root, pointer: '' }], ...(root.origins ?? [])]);
  }

  /** Records that from here down the definition holds the content of that place in the file. */
  add(pointer: string, origin: SourceLocation): void {
    // What stands in the root file may have come from an overlay.
    this.#known.set(pointer, origin.file === this.#root ? this.of(origin.pointer) : origin);
  }

  /** Returns the place of a part of the definition. */
  of(pointer: string): SourceLocation {
    const steps = pointerSteps(pointer);
    for (let length = steps.length; length >= 0; length -= 1) {
      const origin = this.#known.get(pointerOf(steps.slice(0, length)));
      if (origin === undefined) continue;
      return { file: origin.file, pointer: origin.pointer + pointerOf(steps.slice(length)) };
    }
    return { file: this.#root, pointer };
  }
}

/** One definition made of one file or several. */
export interface Bundle extends BundledReferences {
  readonly definition: PlainObject;
  readonly sourceMap: SourceMap;
  /** The schemas with an identifier of their own, and their anchors. */
  readonly resources: SchemaResources<SourceFile>;
  /** URIs of the other files. */
  readonly files: ReadonlySet<string>;
  /** True where the definition differs from the root file. */
  readonly changed: boolean;
  /** True where references were replaced by their targets. */
  readonly replaced: boolean;
  /** Errors of misplaced references and of files that cannot be read. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Fills the variables in, in the definition too, and gives the document as YAML. */
export function* servedText(
  text: string,
  { definition, changed }: Bundle,
  variables: Readonly<Record<string, string>>,
): Steps<string> {
  const fill = (given: string): string =>
    Object.entries(variables).reduce(
      (filling, [name, value]) => filling.replaceAll(`{${name}}`, () => value),
      given,
    );
  const reached = new Set<unknown>(Object.keys(variables).length > 0 ? [definition] : []);
  // A set that grows while it is walked is walked to its end.
  for (const holder of reached) {
    yield;
    if (typeof holder !== 'object' || holder === null) continue;
    for (const [key, value] of Object.entries(holder)) {
      if (typeof value !== 'string') reached.add(value);
      else Reflect.set(holder, key, fill(value));
    }
  }
  if (!changed) return fill(text);
  return (yield* mapSteps(definitionYamlParts(definition), (part) => part)).join('');
}
