/** Lists what a document declares, whether an operation needs it or not: schemas, contents and examples. */

import { pointerSteps, pointerTo } from '../../base/json-pointer';
import { octetsIn } from '../../base/media-type';
import { lazy } from '../../base/memoize';
import type { PlainObject } from '../../base/plain-object';
import type { Steps } from '../../base/run-in-steps';
import type { Example } from '../../model/operation';
import { type Schema, schemaOf, schemasInPlace, schemasOfParts } from '../../model/schema';
import { referenceOf } from '../references/references';
import type { DocumentObject, Structure } from '../structure/positions';
import { type DocumentReader, readExamples } from './read-parameter';

interface DeclaredSchema {
  readonly schema: Schema;
  /** Of the object, or of the reference to it. */
  readonly pointer: string;
}

interface DeclaredContent extends DeclaredSchema {
  /** The media type or range. */
  readonly key: string;
}

/** Examples of one schema. */
export interface DeclaredExamples {
  readonly schema: Schema;
  /** Undefined where they are plain JSON. */
  readonly mediaType: string | undefined;
  readonly examples: readonly Omit<Example, 'name'>[];
}

/** The place of values: in texts such as JSON and parameters, as octets or one part, or as all parts of multipart. */
type Place = 'text' | 'whole' | 'parts';

/** The parts in the order of the document. */
export interface DeclaredParts {
  /** None that is a reference alone. */
  readonly schemas: readonly DeclaredSchema[];
  readonly contents: readonly DeclaredContent[];
  readonly examples: readonly DeclaredExamples[];
  /** Gives the pointers of the schemas that contents and parameters lead to, by place. */
  readonly places: () => Readonly<Record<Place, ReadonlySet<string>>>;
}

interface DeclaredPart extends DeclaredSchema, Pick<DeclaredExamples, 'examples'> {
  readonly name: DocumentObject['name'];
  /** False where a schema of the items stands for that of the whole. */
  readonly isWhole?: boolean;
}

/** Media Type Objects that have a name in place of a media type, which those that refer to them give. */
const named = /^\/components\/mediaTypes\/[^/]+$/;

const placesOf = (roots: readonly (readonly [Schema, Place])[]) => {
  const places = { text: new Set<string>(), whole: new Set<string>(), parts: new Set<string>() };
  const open = [...roots];
  for (const [schema, place] of open) {
    if (places[place].has(schema.pointer)) continue;
    places[place].add(schema.pointer);
    // The parts of a list are its items; what is in an object that is one part is JSON.
    const inner = place === 'text' || (place === 'whole' && schema.properties) ? 'text' : 'whole';
    for (const held of schemasInPlace(schema)) open.push([held, place]);
    for (const held of schemasOfParts(schema)) open.push([held, inner]);
  }
  return places;
};

/** Lists the parts of a document. */
export function* declaredParts(
  objects: readonly DocumentObject[],
  { types }: Structure,
  reader: DocumentReader,
): Steps<DeclaredParts> {
  const { references, readSchema } = reader;
  const mayHaveSiblings = types.Schema.reference === 'beside';
  const isReference = ({ value, name }: DocumentObject): boolean =>
    referenceOf(value) !== undefined &&
    !(name === 'Schema' && mayHaveSiblings && Object.keys(value).length > 1);
  const ownerOf = (object: DocumentObject): DocumentObject | undefined => {
    const { value, pointer, name } = object;
    if (!isReference(object)) return object;
    const isMediaType = name === 'MediaType' && references.find(value) !== undefined;
    return isMediaType ? { ...object, ...references.at<PlainObject>(value, pointer) } : undefined;
  };
  const isUsed = new Set(
    objects
      .filter((object) => object.name === 'MediaType' && isReference(object))
      .map((object) => ownerOf(object)?.pointer),
  );

  const isElsewhere = (object: DocumentObject): boolean =>
    named.test(object.pointer) && (isReference(object) || isUsed.has(object.pointer));

  const partOf = (object: DocumentObject): DeclaredPart | undefined => {
    const { value, pointer, name } = object;
    if (name === 'Schema') {
      const { example, examples: items } = value;
      // `examples` is a list in a Schema Object.
      const list: readonly unknown[] = Array.isArray(items) ? items : [];
      const examples = list.map((item, index) => ({
        pointer: pointerTo(pointerTo(pointer, 'examples'), index),
        value: item,
      }));
      if (example !== undefined) {
        examples.unshift({ pointer: pointerTo(pointer, 'example'), value: example });
      }
      return { name, pointer, schema: readSchema(value, pointer), examples };
    }
    if (name !== 'MediaType' && name !== 'Parameter' && name !== 'Header') return undefined;
    const read = (key: string) =>
      value[key] === undefined || !Object.hasOwn(types[name].fields, key)
        ? undefined
        : readSchema(value[key], pointerTo(pointer, key));
    const [whole, items] = [read('schema'), read('itemSchema')];
    const schema = whole ?? (items && schemaOf({ pointer, types: ['array'], items }));
    if (schema === undefined) return undefined;
    const isWhole = whole !== undefined;
    return { name, pointer, schema, isWhole, examples: readExamples(value, pointer, reader) };
  };

  const schemas: DeclaredSchema[] = [];
  const contents: DeclaredContent[] = [];
  const ofExamples: DeclaredExamples[] = [];
  const roots: [Schema, Place][] = [];
  const seen = new Set<string>();
  const add = (part: DeclaredPart, at: string): void => {
    const { name, pointer, schema, isWhole } = part;
    const key =
      name === 'MediaType' && !named.test(at) ? (pointerSteps(at).at(-1) ?? '') : undefined;
    if (name === 'Schema') schemas.push({ schema, pointer });
    else roots.push([schema, key === undefined ? 'text' : (octetsIn(key) ?? 'text')]);
    if (key !== undefined && isWhole) contents.push({ schema, pointer: at, key });
    // A text that stands for a parameter is not read.
    const readable = part.examples.filter(({ value }) => (key ?? value) !== undefined);
    if (readable.length === 0) return;
    // Several contents may refer to the same object.
    const isNew = seen.size < seen.add(JSON.stringify([pointer, key])).size;
    if (isNew) ofExamples.push({ schema, mediaType: key, examples: readable });
  };
  for (const object of objects) {
    const owner = isElsewhere(object) ? undefined : ownerOf(object);
    const part = owner && partOf(owner);
    if (part !== undefined) add(part, object.pointer);
    yield;
  }
  return { schemas, contents, examples: ofExamples, places: lazy(() => placesOf(roots)) };
}
