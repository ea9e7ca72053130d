/** What every part of the reference is written from. */

import type { OpenAPIV3 } from 'openapi-types';
import type { ApiDocument, MediaType, Operation } from '../../../engine';

/** Writes a value in a media type as the service would; undefined where it has no text there. */
export type WriteExample = (
  media: Pick<MediaType, 'key' | 'schema'>,
  value: unknown,
) => string | undefined;

/** A document and how it is written about. */
export interface Reference {
  readonly document: ApiDocument;
  /** The origin and the base path. */
  readonly address: string;
  readonly writeExample: WriteExample;
  /** Whether an operation has a mock in place of a handler. */
  readonly isMocked: (operation: Operation) => boolean;
  /** The id of an operation's section. */
  readonly anchorOf: (operation: Operation) => string;
}

/** Different texts stay different. */
const slug = (text: string): string =>
  text.replaceAll(/[^\w.-]/gu, (character) => `~${character.codePointAt(0)?.toString(16)}`);

/** The id of a schema's section. */
export const schemaAnchor = (name: string): string => `schema-${slug(name)}`;

/** The id of a group's section. */
export const tagAnchor = (name: string): string => `tag-${slug(name)}`;

/** The id of a security scheme's section. */
export const schemeAnchor = (name: string): string => `credentials-${slug(name)}`;

/** Gives each operation its id; an invalid document may call several alike. */
export const operationAnchors = (
  operations: readonly Operation[],
): ((operation: Operation) => string) => {
  const given = new Set<string>();
  const anchors = new Map(
    operations.map((operation) => {
      const name = `operation-${slug(operation.operationId)}`;
      const anchor = given.has(name) ? `${name}-${given.size}` : name;
      given.add(anchor);
      return [operation, anchor];
    }),
  );
  return (operation) => anchors.get(operation) ?? '';
};

/** Operations that stand together. */
export interface Group {
  readonly name: string;
  /** Undefined where the document only uses the tag. */
  readonly tag: OpenAPIV3.TagObject | undefined;
  readonly operations: readonly Operation[];
}

/** What operations without a tag stand under. */
const untagged = 'Operations';

/** Every operation once; tags without operations are left out. */
export const groupsOf = ({ definition, operations }: ApiDocument): readonly Group[] => {
  const tags = new Map((definition.tags ?? []).map((tag) => [tag.name, tag]));
  const groups = new Map<string, Operation[]>([...tags.keys()].map((name) => [name, []]));
  for (const operation of operations) {
    const name = operation.tags[0] ?? untagged;
    const group = groups.get(name) ?? [];
    group.push(operation);
    groups.set(name, group);
  }
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .map(([name, members]) => ({ name, tag: tags.get(name), operations: members }));
};
