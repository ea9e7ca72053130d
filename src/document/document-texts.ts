/** Writes the texts of a document: as its author wrote it, as generators of clients can use it, with edits, and its schemas alone. */

import { groupBy } from '../base/group-by';
import { writeJson } from '../base/json/write-json';
import { pointerSteps, valueAt } from '../base/json-pointer';
import { isPlainObject, type PlainObject } from '../base/plain-object';
import type { Schema } from '../model/schema';
import { definitionJsonParts, definitionYamlParts } from './bundle/write-definition';
import type { LoadedDocument } from './document';
import { versionOf } from './versions/versions';

/** Fields to set, by the pointer of the object that gets them; the pointer may pass through references. */
export type Edits = Readonly<Record<string, Readonly<PlainObject>>>;

/** Applies edits to a value, of which only copies are changed: one that is a reference is replaced by the copy of its target. */
const edited = (
  value: unknown,
  edits: readonly (readonly [steps: readonly string[], fields: Edits[string]])[],
  source: Pick<LoadedDocument, 'definition' | 'references'>,
): unknown => {
  const target: object | undefined = isPlainObject(value)
    ? source.references.find(value)
    : undefined;
  if (target === undefined) return value;
  // The siblings of a reference are part of what it stands for, where the version says so.
  const hasSiblings = versionOf(source.definition.openapi)?.dialect.refHasSiblings === true;
  const { $ref, ...siblings }: PlainObject = target !== value && hasSiblings ? Object(value) : {};
  const own = edits.find(([steps]) => steps.length === 0)?.[1];
  const inner = groupBy(edits, ([steps]) => steps[0]);
  return Object.fromEntries(
    Object.entries({ ...target, ...siblings, ...own }).map(([key, item]) => {
      const below = inner.get(key)?.map(([steps, fields]) => [steps.slice(1), fields] as const);
      return [key, below === undefined ? item : edited(item, below, source)];
    }),
  );
};

/**
 * Writes the document as JSON that generators of clients can use, in parts.
 * @param edits what it says differently; an edit of what is not there changes nothing
 */
export const usableJson = (document: LoadedDocument, edits: Edits = {}): Iterable<string> => {
  const { definition, replacements } = document;
  const list = Object.entries(edits).map(
    ([pointer, fields]) => [pointerSteps(pointer), fields] as const,
  );
  const changed = list.length === 0 ? definition : edited(definition, list, document);
  return definitionJsonParts(changed, replacements);
};

/** Writes the document as YAML that generators of clients can use, in parts: the author's text, where they can use that. */
export const usableYaml = ({ definition, replacements, text }: LoadedDocument): Iterable<string> =>
  replacements.size > 0 ? definitionYamlParts(definition, replacements) : [text];

/** Writes the author's document as JSON, in parts. */
export const originalJson = ({ original }: LoadedDocument): Iterable<string> =>
  definitionJsonParts(original.definition);

/** Writes what the values of a schema depend on, as JSON: all components that it may refer to, and itself if it is none of them. */
export const schemaTexts = (
  { definition }: LoadedDocument,
  { component, pointer }: Schema,
): readonly string[] => {
  const isComponent = component !== undefined && pointer.startsWith('/components/schemas/');
  // Texts were stored by those of 3.0 before there were other versions.
  const version = versionOf(definition.openapi)?.name ?? '3.0';
  return [
    definition.components?.schemas ?? null,
    ...(isComponent ? [] : [valueAt(definition, pointer)]),
    ...(version === '3.0' ? [] : [version, Reflect.get(definition, 'jsonSchemaDialect')]),
  ].map(writeJson);
};
