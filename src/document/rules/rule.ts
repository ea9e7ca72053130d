/** The form of rules about documents: functions from a document to its diagnostics. */

import type { OpenAPIV3 } from 'openapi-types';
import type { Model } from '../../model/document';
import type { ShapeOf } from '../../schema/shape';
import type { UnplacedDiagnostic } from '../diagnostics/diagnostic';
import type { DeclaredParts } from '../read/declared-parts';
import type { ReadSchema } from '../read/read-schema';
import type { References } from '../references/references';
import type { ObjectName } from '../structure/field-type';
import type { DocumentObject, Structure } from '../structure/positions';

/** The document as rules see it: all that does not fit the table of objects was reported and removed. */
export interface RuleContext extends Pick<Model, 'operations' | 'webhooks' | 'securitySchemes'> {
  readonly definition: OpenAPIV3.Document;
  /** The table of objects of the document's version. */
  readonly structure: Structure;
  readonly references: References;
  readonly readSchema: ReadSchema;
  /** Everything in the document that has a meaning of its own. */
  readonly objects: readonly DocumentObject[];
  readonly declared: DeclaredParts;
  /** Throws for schemas that cannot be read, which the rules on references and keywords report. */
  readonly shapeOf: ShapeOf;
}

/** One rule. It never throws: errors of a document are diagnostics. Where it gives undefined it may pause. */
export type Rule = (context: RuleContext) => Iterable<UnplacedDiagnostic | undefined>;

/** Checks an object by itself. */
export type CheckObject = (
  object: DocumentObject,
  context: RuleContext,
) => readonly UnplacedDiagnostic[];

/** Checks each item by itself, with pauses. */
export function* checkEach<Item>(
  items: Iterable<Item>,
  check: (item: Item) => readonly UnplacedDiagnostic[],
): Generator<UnplacedDiagnostic | undefined> {
  for (const item of items) {
    yield* check(item);
    yield undefined;
  }
}

/** Makes a rule that checks each object by itself, by its kind. */
export const ruleOf =
  (checks: Partial<Record<ObjectName, CheckObject>>): Rule =>
  (context) =>
    checkEach(
      context.objects.filter(({ name }) => checks[name] !== undefined),
      (object) => checks[object.name]?.(object, context) ?? [],
    );

/** Lists the entries that repeat the name of an earlier one; entries without a name are skipped. */
export const repeated = <Entry>(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string | undefined,
): readonly { readonly entry: Entry; readonly index: number; readonly name: string }[] => {
  const seen = new Set<string>();
  return entries.flatMap((entry, index) => {
    const name = nameOf(entry);
    if (name === undefined) return [];
    return seen.size < seen.add(name).size ? [] : [{ entry, index, name }];
  });
};
