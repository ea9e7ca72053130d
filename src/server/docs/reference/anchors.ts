/** Ids of the reference's sections: readable, the same every time, each given once. */

import type { Operation } from '../../../engine';

/** Different texts stay different. */
const slug = (text: string): string =>
  text.replaceAll(/[^\w.-]/gu, (character) => `~${character.codePointAt(0)?.toString(16)}`);

/** The id of a schema's section. */
export const schemaAnchor = (name: string): string => `schema-${slug(name)}`;

/** The id of a group's section. */
export const tagAnchor = (name: string): string => `tag-${slug(name)}`;

/** The id of a security scheme's section. */
export const schemeAnchor = (name: string): string => `credentials-${slug(name)}`;

/** Gives each operation its id; a faulty document may call several alike. */
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
