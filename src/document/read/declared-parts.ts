/** Lists what a document declares, whether an operation needs it or not: schemas, contents and examples. */

import { pointerSteps, pointerTo } from '../../base/json-pointer';
import type { Steps } from '../../base/run-in-steps';
import type { Schema } from '../../model/schema';
import { referenceOf } from '../references/references';
import type { DocumentObject, Structure } from '../structure/positions';
import { type Reader, readExamples } from './read-parameter';

/** A schema, and the place of its Schema Object. */
interface DeclaredSchema {
  readonly schema: Schema;
  readonly pointer: string;
}

/** A Media Type Object with a schema. */
interface DeclaredContent {
  readonly pointer: string;
  /** The media type or range. */
  readonly key: string;
  readonly schema: Schema;
}

/** Examples of one schema. */
export interface DeclaredExamples {
  readonly schema: Schema;
  /** Undefined where they are plain JSON. */
  readonly mediaType: string | undefined;
  readonly examples: readonly { readonly pointer: string; readonly value: unknown }[];
}

/** The parts in the order of the document. */
export interface DeclaredParts {
  /** None that is a reference alone. */
  readonly schemas: readonly DeclaredSchema[];
  readonly contents: readonly DeclaredContent[];
  readonly examples: readonly DeclaredExamples[];
}

type Examples = DeclaredExamples['examples'];

/** Objects that have a schema and examples of it. */
const holders: ReadonlySet<string> = new Set<DocumentObject['name']>([
  'MediaType',
  'Parameter',
  'Header',
]);

/** Lists the examples of a Schema Object; `examples` is a list there. */
const schemaExamples = ({ value, pointer }: DocumentObject): Examples => {
  const { example, examples } = value;
  const list: readonly unknown[] = Array.isArray(examples) ? examples : [];
  return [
    ...(example === undefined ? [] : [{ pointer: pointerTo(pointer, 'example'), value: example }]),
    ...list.map((item, index) => ({
      pointer: pointerTo(pointerTo(pointer, 'examples'), index),
      value: item,
    })),
  ];
};

interface Part {
  readonly pointer: string;
  readonly schema: Schema;
  readonly examples: Examples;
  readonly name: DocumentObject['name'];
}

/** Lists the parts of a document. */
export function* declaredParts(
  objects: readonly DocumentObject[],
  { types }: Structure,
  { references, readSchema }: Reader,
): Steps<DeclaredParts> {
  const mayHaveSiblings = types.Schema.reference === 'beside';
  const isReference = ({ value, name }: DocumentObject): boolean =>
    referenceOf(value) !== undefined &&
    !(name === 'Schema' && mayHaveSiblings && Object.keys(value).length > 1);

  const partOf = (object: DocumentObject): Part | undefined => {
    const { value, pointer, name } = object;
    if (name === 'Schema') {
      return {
        name,
        pointer,
        schema: readSchema(value, pointer),
        examples: schemaExamples(object),
      };
    }
    if (!holders.has(name) || value['schema'] === undefined) return undefined;
    const schema = readSchema(value['schema'], pointerTo(pointer, 'schema'));
    return { name, pointer, schema, examples: readExamples(value, pointer, references) };
  };

  const keyOf = (pointer: string): string => pointerSteps(pointer).at(-1) ?? '';
  const schemas: DeclaredSchema[] = [];
  const contents: DeclaredContent[] = [];
  const ofExamples: DeclaredExamples[] = [];
  const add = ({ name, pointer, schema, examples }: Part): void => {
    const key = name === 'MediaType' ? keyOf(pointer) : undefined;
    if (name === 'Schema') schemas.push({ schema, pointer });
    if (key !== undefined) contents.push({ schema, pointer, key });
    if (examples.length > 0) ofExamples.push({ schema, mediaType: key, examples });
  };
  for (const object of objects) {
    const part = isReference(object) ? undefined : partOf(object);
    if (part !== undefined) add(part);
    yield;
  }
  return { schemas, contents, examples: ofExamples };
}
