/** Reads documents of Swagger 2.0 for a converter, and writes what it makes of them. */

import { writeJsonLines } from '../../base/json/write-json';
import { pointerOfFragment, valueAt } from '../../base/json-pointer';
import { isPlainObject, type PlainObject } from '../../base/plain-object';
import { definitionYamlParts } from '../bundle/write-definition';
import { referenceOf } from '../references/references';
import { readSource } from '../source/read-source';

/** Writes the parameters out that make up a body: the converter knows them at their operation alone. */
const withBodies = (parameters: readonly unknown[], definition: PlainObject): readonly unknown[] =>
  parameters.map((parameter) => {
    const pointer = pointerOfFragment(referenceOf(parameter)?.slice(1) ?? '');
    const target = pointer ? valueAt(definition, pointer) : undefined;
    const isBody = isPlainObject(target) && /^(?:body|formData)$/.test(String(target['in']));
    return isBody ? structuredClone(target) : parameter;
  });

const plainObjectsIn = (value: unknown): readonly PlainObject[] =>
  isPlainObject(value) ? Object.values(value).filter(isPlainObject) : [];

/**
 * Reads a document of Swagger 2.0.
 * @throws UnreadableDocument where the text is neither YAML nor JSON
 */
export const readSwagger = (file: string, text: string): PlainObject => {
  const { value } = readSource(file, text);
  const definition = isPlainObject(value) ? value : {};
  const items = plainObjectsIn(definition['paths']);
  for (const holder of [...items, ...items.flatMap(plainObjectsIn)]) {
    const { parameters } = holder;
    if (Array.isArray(parameters)) holder['parameters'] = withBodies(parameters, definition);
  }
  return definition;
};

/** Writes a definition in the format of a text, YAML or JSON. */
export const writeLike = (text: string, definition: object): string =>
  /^\s*\{/.test(text)
    ? `${writeJsonLines(definition)}\n`
    : [...definitionYamlParts(definition)].join('');
