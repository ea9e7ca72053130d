/** The files that give every operation of a service a handler: modules that get more of them, and new ones. */

import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { ApiDocument } from '../../../src/engine';
import { loadHandlerModules } from '../../../src/server/services/handler-modules';
import type { Folders } from '../../generate/generated-files';
import { type OperationGroup, operationGroups } from '../../generate/print-types';
import { insertHandlers } from './insert-handlers';
import { factoryName, printModule } from './print-module';

/** Stands for every collection and function that factories are given: they are called only to see what they return. */
const anything: object = new Proxy(() => anything, {
  // What is awaited or turned into a text is not to be taken for a promise or an iterator.
  get: (_, key) => (typeof key === 'symbol' || key === 'then' ? undefined : anything),
});

/**
 * The module of each handler, by operationId; absolute paths.
 * @param handlersDirectory the folder of all handlers
 * @throws Error naming the module that cannot be loaded, or has no factories
 */
export const handledOperations = async (
  handlersDirectory: string,
  service: string,
): Promise<ReadonlyMap<string, string>> => {
  const modules = await loadHandlerModules(handlersDirectory, service);
  return new Map(
    modules.handlers(anything).map(({ operationId, file }) => [operationId, resolve(file)]),
  );
};

/** A file to be written. */
interface StubFile {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  /** The line about it for the reader. */
  readonly said: string;
}

/** Names that mean something else in a folder of handlers. */
const reserved = ['types', 'collections', 'demo'];

const kebabCase = (tag: string): string =>
  tag
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'other';

/** A file in the folder that is not there yet: `store.ts`, else `store-handlers.ts`, `store-handlers-2.ts` and so on. */
const newFile = (folder: string, tag: string, isTaken: (file: string) => boolean): string => {
  const name = kebabCase(tag);
  const isFree = (base: string): boolean => !isTaken(join(folder, `${base}.ts`));
  if (!reserved.includes(name) && isFree(name)) return `${name}.ts`;
  let base = `${name}-handlers`;
  for (let number = 2; !isFree(base); number += 1) base = `${name}-handlers-${number}`;
  return `${base}.ts`;
};

/** The module that has most handlers of the group; else the one that is called like its tag. */
const moduleOf = (
  { operations, tag }: OperationGroup,
  handled: ReadonlyMap<string, string>,
  folder: string,
): string | undefined => {
  const files = operations.flatMap(({ operationId }) => handled.get(operationId) ?? []);
  const countOf = (file: string): number => files.filter((one) => one === file).length;
  const [most] = [...new Set(files)].sort((one, other) => countOf(other) - countOf(one));
  const namesake = join(folder, `${kebabCase(tag)}.ts`);
  return most ?? (existsSync(namesake) ? namesake : undefined);
};

/** Gives the path by which modules in a folder import a file or folder. */
const importPath = (folder: string, path: string): string =>
  relative(folder, path).replaceAll('\\', '/');

/**
 * The files that give the operations without a handler one that answers 501; none where all have one.
 * @throws Error naming the module of the service that cannot be loaded
 */
export const stubFiles = async (
  document: ApiDocument,
  { root, handlers }: Folders,
): Promise<readonly StubFile[]> => {
  const folder = resolve(root, handlers, document.name);
  const handled = await handledOperations(resolve(root, handlers), document.name);
  const files = new Map<string, StubFile>();
  const textOf = (file: string): string => files.get(file)?.text ?? readFileSync(file, 'utf8');
  const called = (file: string): string => relative(root, file);

  const addStubs = async (group: OperationGroup): Promise<void> => {
    const ids = group.operations.map(({ operationId }) => operationId);
    const missing = ids.filter((id) => !handled.has(id));
    if (missing.length === 0) return;
    const module = moduleOf(group, handled, folder);
    const listed = missing.join(', ');
    const longer = module && (await insertHandlers(textOf(module), group.name, missing));
    if (module !== undefined && longer !== undefined) {
      files.set(module, { file: module, text: longer, said: `${called(module)}: added ${listed}` });
      return;
    }
    const name = newFile(folder, group.tag, (file) => existsSync(file) || files.has(file));
    const file = join(folder, name);
    const text = printModule({
      ...{ tag: group.tag, group: group.name, operationIds: missing },
      isPart: missing.length < ids.length,
      factory: factoryName(name.replace(/\.ts$/, '')),
      engine: importPath(folder, join(root, 'src/engine')),
    });
    const reason =
      module === undefined
        ? ''
        : `, as ${called(module)} exports no function that returns an object literal of the type Handlers<${group.name}>`;
    files.set(file, { file, text, said: `${called(file)}: new, with ${listed}${reason}` });
  };

  for (const group of operationGroups(document)) await addStubs(group);
  return [...files.values()];
};
