/** What the comparison knows of a schema: a set of values. */

import type { SourceObject } from '../values/source-objects';
import type { ValueTypes } from './schema-types';

/** Schemas of which a value must fit one (`oneOf`: exactly one). */
export interface Union {
  readonly keyword: 'oneOf' | 'anyOf';
  /** The schema that has it. */
  readonly owner: SourceObject;
  readonly pointer: string;
  readonly branches: readonly MergedSchema[];
}

/** What an object may have under a name. */
export interface Property {
  /** What the parts say, `additionalProperties` of those that do not declare it among them. */
  readonly schemas: readonly object[];
  /** All of them merged; worked out when it is read, which most properties never need. */
  readonly schema: MergedSchema;
  readonly pointer: string;
}

/** What an object may have under names that are not declared: nothing is said, anything, what fits, or nothing. */
export type OtherProperties =
  | { readonly kind: 'unsaid' | 'any' }
  | { readonly kind: 'none'; readonly pointer: string }
  | { readonly kind: 'schema'; readonly schema: MergedSchema; readonly pointer: string };

/** A set of values. */
export interface MergedSchema {
  /** The schemas that all hold; none: any value. */
  readonly parts: readonly SourceObject[];
  readonly pointer: string;
  /** The component that it is a reference to, or the component itself. */
  readonly component: string | undefined;
  /** A reference that leads nowhere: nothing is known of the set. */
  readonly broken: string | undefined;
  /** Without what unions say. */
  readonly ownTypes: ValueTypes;
  readonly types: ValueTypes;
  readonly unions: readonly Union[];
  /** The branches of the first union, each with all else that the schema says. */
  readonly alternatives: readonly MergedSchema[];
  /** Declared by a part and forbidden by none, by name. */
  readonly properties: ReadonlyMap<string, Property>;
  /** Pointers of the entries, by name. */
  readonly required: ReadonlyMap<string, string>;
  readonly others: OtherProperties;
  /** Undefined: any. */
  readonly items: MergedSchema | undefined;
  readonly not: readonly MergedSchema[];
}

/** Makes merged schemas; the same schemas always give the same object. */
export type MergeSchemas = (schemas: readonly unknown[]) => MergedSchema;
