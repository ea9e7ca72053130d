/** Which operations create, read, list, update and remove the same kind of resource. */

import type { Operation } from '../../../engine';
import { type Creation, creationOf, type ItemPath, itemPathsOf } from '../session/identities';
import type { Subject } from '../session/subject';
import type { Workbench } from '../session/workbench';

/** The operations on one kind of resource. */
export interface Resource {
  readonly itemPath: ItemPath;
  readonly creation: Creation;
  readonly create: Subject;
  readonly read: Subject | undefined;
  readonly list: Subject | undefined;
  /** At the item, or at the collection with the identity in its body. */
  readonly update: Subject | undefined;
  readonly remove: Subject | undefined;
}

/** Parameters that show a part of a list alone. */
const paging = /^(?:limit|offset|page|size|per_?page|cursor|after|before|start|count|top|skip)/i;

const isWholeList = ({ parameters }: Operation): boolean =>
  !parameters.some(
    ({ in: location, name, required }) => location === 'query' && (required || paging.test(name)),
  );

/** What the document has of each kind of resource that can be created and looked at or removed. */
export const resourcesOf = (bench: Workbench): Resource[] => {
  const { document } = bench.session;
  const itemPaths = new Map(
    document.operations
      .flatMap(({ path }) => itemPathsOf(path).filter(({ item }) => item === path))
      .map((itemPath) => [itemPath.item, itemPath]),
  );
  const at = (path: string, method: string): Subject | undefined =>
    bench.subjects.find(({ operation }) => operation.path === path && operation.method === method);
  const updateOf = ({ item, collection }: ItemPath): Subject | undefined =>
    [item, collection].flatMap((path) => at(path, 'put') ?? at(path, 'patch') ?? [])[0];
  return [...itemPaths.values()].flatMap((itemPath) => {
    const creation = creationOf(document, itemPath);
    const create = creation && bench.subjectOf(creation.operation);
    if (create === undefined || creation === undefined) return [];
    const list = at(itemPath.collection, 'get');
    return [
      {
        itemPath,
        creation,
        create,
        read: at(itemPath.item, 'get'),
        list: list && isWholeList(list.operation) ? list : undefined,
        update: updateOf(itemPath),
        remove: at(itemPath.item, 'delete'),
      },
    ];
  });
};
