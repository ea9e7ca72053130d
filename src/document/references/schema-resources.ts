/** The schema resources and anchors of files, by which references find schemas (JSON Schema 2020-12, sections 8.2 and 9.1). */

import { pointerTo } from '../../base/json-pointer';
import { isPlainObject, ownText, type PlainObject } from '../../base/plain-object';

interface PlaceInFile<File> {
  readonly file: File;
  readonly pointer: string;
}

/** The place of an `$anchor` or a `$dynamicAnchor`. */
export interface Anchor<File = unknown> extends PlaceInFile<File> {
  readonly name: string;
  /** With the name as its fragment. */
  readonly uri: string;
  readonly value: PlainObject;
  readonly isDynamic: boolean;
}

/** A schema with an `$id`, or a file as a whole, perhaps with a `$self`. */
export interface SchemaResource<File = unknown> extends PlaceInFile<File> {
  /** Absolute, without a fragment. */
  readonly uri: string;
  readonly anchors: Map<string, Anchor<File>>;
  /** The `$schema` of its schemas. */
  readonly dialect: string | undefined;
}

/** Visits a schema; gives what it is given for the schemas within, or undefined where these are not to be visited. */
export type SchemaVisitor<Context> = (
  schema: PlainObject,
  pointer: string,
  context: Context,
) => Context | undefined;

/** Splits a reference at its fragment. */
export const splitReference = (ref: string): readonly [uri: string, fragment: string] => {
  const mark = ref.indexOf('#');
  return mark < 0 ? [ref, ''] : [ref.slice(0, mark), ref.slice(mark + 1)];
};

/** Returns the URI of a reference without its fragment; undefined where it is none. */
export const absoluteUri = (ref: string, base: string): string | undefined => {
  const [uri] = splitReference(ref);
  if (uri === '') return base;
  return URL.canParse(uri, base) ? new URL(uri, base).href : undefined;
};

/** The resources of all files of a document. */
export class SchemaResources<File extends { readonly uri: string }> {
  readonly clashes: (PlaceInFile<File> & { readonly message: string })[] = [];
  /** In the order in which they were found. */
  readonly dynamicAnchors: Anchor<File>[] = [];
  readonly #byUri = new Map<string, SchemaResource<File>>();
  readonly #owners = new Map<object, SchemaResource<File>>();

  /**
   * Returns the resource of a file as a whole, which is added where it is new.
   * @param self its `$self`
   * @param base the same as an absolute URI; else that of the file
   * @param dialect the `$schema` of schemas that name none
   */
  addFile(
    file: File,
    self: string | undefined,
    base: string,
    dialect: string | undefined,
  ): SchemaResource<File> {
    const known = this.#byUri.get(file.uri);
    const whole = known ?? { uri: base, file, pointer: '', anchors: new Map(), dialect };
    this.#byUri.set(file.uri, whole);
    if (known === undefined && self !== undefined) this.#identify(self, '', '$self', whole);
    return whole;
  }

  /** Makes a URI lead to a file as well, unless it leads elsewhere. */
  addName(uri: string, file: File): void {
    const whole = this.#byUri.get(file.uri);
    if (whole !== undefined && !this.#byUri.has(uri)) this.#byUri.set(uri, whole);
  }

  /** Adds a schema in a resource. */
  readonly addSchema: SchemaVisitor<SchemaResource<File>> = (schema, pointer, outer) => {
    if (this.#owners.has(schema)) return undefined;
    const id = ownText(schema, '$id');
    let resource = outer;
    if (id !== undefined) {
      const uri = absoluteUri(id, outer.uri) ?? id;
      if (uri !== outer.uri) resource = { ...outer, uri, pointer, anchors: new Map() };
      this.#identify(id, pointer, '$id', resource);
    }
    const dialect = ownText(schema, '$schema') ?? resource.dialect;
    if (dialect !== resource.dialect) resource = { ...resource, dialect };
    // The identifier of a whole file stands for the file.
    if (pointer === '') this.#byUri.set(resource.file.uri, resource);
    this.#owners.set(schema, resource);
    // A discriminator and its mapping hold references.
    const { discriminator } = schema;
    if (isPlainObject(discriminator)) {
      const { mapping } = discriminator;
      this.#owners.set(discriminator, resource);
      if (isPlainObject(mapping)) this.#owners.set(mapping, resource);
    }
    this.#addAnchor(resource, '$anchor', schema, pointer);
    this.#addAnchor(resource, '$dynamicAnchor', schema, pointer);
    return resource;
  };

  /** Returns the resource of a schema, or of a mapping in one; undefined for what was not added. */
  of(value: object): SchemaResource<File> | undefined {
    return this.#owners.get(value);
  }

  /** Returns the resource of a URI; undefined where it is not known. */
  at(uri: string): SchemaResource<File> | undefined {
    return this.#byUri.get(uri);
  }

  #addAnchor(
    resource: SchemaResource<File>,
    keyword: '$anchor' | '$dynamicAnchor',
    value: PlainObject,
    pointer: string,
  ): void {
    const name = ownText(value, keyword);
    if (name === undefined) return;
    const { file } = resource;
    const isDynamic = keyword === '$dynamicAnchor';
    const known = resource.anchors.get(name);
    if (known !== undefined && known.value !== value) {
      const message = `The anchor ${name} is that of another schema, too, and leads there: ${known.pointer}. Rename one of the two.`;
      this.clashes.push({ file, pointer: pointerTo(pointer, keyword), message });
      return;
    }
    const anchor = { file, pointer, name, uri: `${resource.uri}#${name}`, value, isDynamic };
    resource.anchors.set(name, anchor);
    if (isDynamic) this.dynamicAnchors.push(anchor);
  }

  /** Makes an identifier lead to its resource, unless another one has it. */
  #identify(
    id: string,
    pointer: string,
    keyword: '$id' | '$self',
    resource: SchemaResource<File>,
  ): void {
    const { file, uri } = resource;
    const known = this.#byUri.get(uri) ?? resource;
    this.#byUri.set(uri, known);
    if (known.file === file && known.pointer === pointer) return;
    const noun = keyword === '$id' ? 'schema' : 'document';
    const message = `The identifier ${id} is that of another ${noun}, too, and leads there: ${known.pointer || '/'}. Change one of the two.`;
    this.clashes.push({ file, pointer: pointerTo(pointer, keyword), message });
  }
}
