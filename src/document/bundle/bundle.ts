/** The result of bundling a document's files, and the text that is served of it. */

import { pointerOf, pointerSteps } from '../../base/json-pointer';
import type { PlainObject } from '../../base/plain-object';
import { mapSteps, type Steps } from '../../base/run-in-steps';
import type { Diagnostic } from '../diagnostics/diagnostic';
import type { ResolvedReferences } from '../references/references';
import type { SchemaResources } from '../references/schema-resources';
import type { SourceFile, SourceLocation } from '../source/source-files';
import type { ComponentPlacement } from './component-placement';
import { definitionYamlParts } from './write-definition';

interface SourceMap {
  /** Records that from here down the definition holds the content of that place in the file. */
  add(pointer: string, origin: SourceLocation): void;
  of(pointer: string): SourceLocation;
}

/** Begins with everything coming from the root file, and from its overlays. */
export const sourceMapFrom = (root: SourceFile): SourceMap => {
  const known = new Map<string, SourceLocation>([
    ['', { file: root, pointer: '' }],
    ...(root.origins ?? []),
  ]);
  const of = (pointer: string): SourceLocation => {
    const steps = pointerSteps(pointer);
    for (let length = steps.length; length >= 0; length -= 1) {
      const origin = known.get(pointerOf(steps.slice(0, length)));
      if (origin === undefined) continue;
      return { file: origin.file, pointer: origin.pointer + pointerOf(steps.slice(length)) };
    }
    return { file: root, pointer };
  };
  return {
    // What stands in the root file may have come from an overlay.
    add: (pointer, origin) =>
      void known.set(pointer, origin.file === root ? of(origin.pointer) : origin),
    of,
  };
};

/** One definition made of one file or several. */
export interface Bundle {
  readonly definition: PlainObject;
  readonly sourceMap: SourceMap;
  /** The targets of references that are no pointers into the definition. */
  readonly resolved: ResolvedReferences;
  /** The schemas with an identifier of their own, and their anchors. */
  readonly resources: SchemaResources<SourceFile>;
  /** The original names of components that had to be renamed, by pointer; undefined for other parts. */
  readonly componentNames: ComponentPlacement['names'];
  /** The reasons why references that still lead out of the definition cannot be followed. */
  readonly reasons: ReadonlyMap<string, string>;
  /** URIs of the other files. */
  readonly files: ReadonlySet<string>;
  /** True where the definition differs from the root file. */
  readonly changed: boolean;
  /** True where references were replaced by their targets. */
  readonly replaced: boolean;
  /** Errors of misplaced references and of files that cannot be read. */
  readonly diagnostics: readonly Diagnostic[];
}

type Variables = Readonly<Record<string, string>>;

const fillText = (text: string, variables: Variables): string =>
  Object.entries(variables).reduce(
    (filling, [name, value]) => filling.replaceAll(`{${name}}`, () => value),
    text,
  );

/** Fills every text in; the definition is changed in place. */
function* fillVariables(definition: object, variables: Variables): Steps<void> {
  const reached = new Set<unknown>([definition]);
  // A set that grows while it is walked is walked to its end.
  for (const holder of reached) {
    yield;
    if (typeof holder !== 'object' || holder === null) continue;
    for (const [key, value] of Object.entries(holder)) {
      if (typeof value !== 'string') reached.add(value);
      else Reflect.set(holder, key, fillText(value, variables));
    }
  }
}

/** Fills the variables in, in the definition too, and gives the document as YAML. */
export function* servedText(
  text: string,
  { definition, changed }: Bundle,
  variables: Readonly<Record<string, string>>,
): Steps<string> {
  if (Object.keys(variables).length > 0) yield* fillVariables(definition, variables);
  if (!changed) return fillText(text, variables);
  return (yield* mapSteps(definitionYamlParts(definition), (part) => part)).join('');
}
