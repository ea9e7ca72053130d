/** Groups operations by their first tag, in the order of the document's tags. */

import type { OpenAPIV3 } from 'openapi-types';
import type { ApiDocument, Operation } from '../../../engine';

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
