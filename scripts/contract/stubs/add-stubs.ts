/** Gives every operation of the documents a handler, and says what it wrote. */

import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { lazy } from '../../../src/base/memoize';
import { nearestName } from '../../../src/base/text/nearest-name';
import { describeDiagnostic } from '../../../src/document/diagnostics/diagnostic';
import type { ApiDocument } from '../../../src/engine';
import { loadHandlerModules } from '../../../src/host/module-loader';
import type { FileState } from '../../../src/tool/command/command';
import { writeTogether } from '../../../src/tool/command/write-together';
import { compilerFor, insertHandlers } from '../../../src/tool/stubs/insert-handlers';
import { lineWidth, printStub, typeImport } from '../../../src/tool/stubs/print-stub';
import { type OperationGroup, operationGroups } from '../../../src/tool/types/print-types';
import { pascalCase, typeNames } from '../../../src/tool/types/type-names';
import { docComment, quoteText } from '../../../src/tool/types/type-text';
import { type Folders, generatedFiles, typesFile } from '../../generate/generated-files';
import { rootFolder } from '../../root-folder';

/** The parser of an older compiler: that of the newest has none for programs. */
const compiler = lazy(() => {
  const found = compilerFor(rootFolder, 'typescript-5');
  if (found === undefined)
    throw new Error('The package typescript-5 is not installed. Run npm ci.');
  return found;
});

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
  { name, operations }: Pick<ApiDocument, 'name' | 'operations'>,
): Promise<ReadonlyMap<string, string>> => {
  const modules = await loadHandlerModules(handlersDirectory, name);
  const { handlers, failed } = await modules.handlers(
    () => ({ given: [anything], failed: async () => undefined }),
    operations,
  );
  const [broken] = failed;
  if (broken !== undefined) throw new Error(broken.reason, { cause: broken.cause });
  return new Map(handlers.map(({ operationId, file }) => [operationId, resolve(file)]));
};

/** A module of handlers. */
interface NewModule {
  readonly tag: string;
  /** The interface of the tag's operations in `types.ts`. */
  readonly group: string;
  /** The operations that it handles. */
  readonly operationIds: readonly string[];
  /** True where the interface has others. */
  readonly isPart: boolean;
  /** The name of what it exports. */
  readonly factory: string;
  /** The path by which it imports the engine: `../../src/engine`. */
  readonly engine: string;
}

/** A name for what a module exports: `storeHandlers`. */
const factoryName = (file: string): string => {
  const name = pascalCase(file.replace(/-handlers$/, ''));
  return typeNames()(`${name.charAt(0).toLowerCase()}${name.slice(1)}Handlers`);
};

const declaration = ({ factory, group, operationIds, isPart }: NewModule): string => {
  const start = `export const ${factory} = (): Handlers<`;
  if (!isPart) return `${start}${group}> => ({`;
  const ids = operationIds.map(quoteText);
  const line = `${start}Pick<${group}, ${ids.join(' | ')}>> => ({`;
  if (line.length <= lineWidth) return line;
  const inner = `  Pick<${group}, ${ids.join(' | ')}>`;
  const lines =
    inner.length <= lineWidth
      ? inner
      : `  Pick<\n    ${group},\n${ids.map((id) => `    | ${id}`).join('\n')}\n  >`;
  return `${start}\n${lines}\n> => ({`;
};

/** The text of a new module. */
const printModule = (module: NewModule): string => {
  const { tag, group, operationIds, engine } = module;
  const stubs = operationIds.map((id) => printStub(id, '  ')).join('\n\n');
  return `${docComment([`The operations tagged \`${tag}\`.`])}
${typeImport('Handlers', engine)}
${typeImport(group, './types')}

${docComment([`Handlers of operations tagged \`${tag}\`. One that needs collections takes \`Dependencies\` of ./collections.`])}${declaration(module)}
${stubs}
});
`;
};

/** A file to be written. */
interface StubFile extends FileState {
  readonly text: string;
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

/**
 * The files that give the operations without a handler one that answers 501; none where all have one.
 * @throws Error naming the module of the service that cannot be loaded
 */
export const stubFiles = async (
  document: ApiDocument,
  { root, handlers }: Folders,
): Promise<readonly StubFile[]> => {
  const folder = resolve(root, handlers, document.name);
  const handled = await handledOperations(resolve(root, handlers), document);
  const files = new Map<string, StubFile>();
  const textOf = (file: string): string => files.get(file)?.text ?? readFileSync(file, 'utf8');
  const called = (file: string): string => relative(root, file);

  const addStubs = (group: OperationGroup): void => {
    const ids = group.operations.map(({ operationId }) => operationId);
    const missing = ids.filter((id) => !handled.has(id));
    if (missing.length === 0) return;
    const module = moduleOf(group, handled, folder);
    const listed = missing.join(', ');
    const place = { interfaces: [group.name, 'Operations'], mayBeObject: false };
    const longer = module && insertHandlers(compiler(), textOf(module), place, missing);
    if (module !== undefined && longer !== undefined) {
      files.set(module, { file: called(module), text: longer, state: `added ${listed}` });
      return;
    }
    const name = newFile(folder, group.tag, (file) => existsSync(file) || files.has(file));
    const file = join(folder, name);
    const text = printModule({
      tag: group.tag,
      group: group.name,
      operationIds: missing,
      isPart: missing.length < ids.length,
      factory: factoryName(name.replace(/\.ts$/, '')),
      engine: relative(folder, join(root, 'src/engine')).replaceAll('\\', '/'),
    });
    const reason =
      module === undefined
        ? ''
        : `, as ${called(module)} exports no function that returns an object literal of the type Handlers<${group.name}>`;
    files.set(file, { file: called(file), text, state: `new, with ${listed}${reason}` });
  };

  for (const group of operationGroups(document)) addStubs(group);
  return [...files.values()];
};

const requireKnown = (names: readonly string[], known: readonly string[]): void => {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const meant = nearestName(unknown, known);
  const advice = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new Error(`There is no document called ${unknown}.${advice}`);
};

/**
 * Writes what is missing, all or nothing.
 * @param names the services; all, where none is named
 * @returns the written files; none where every operation has a handler
 * @throws Error in one sentence: a document or module cannot be read, or a file cannot be written
 */
export const addStubs = async (
  folders: Folders,
  names: readonly string[],
): Promise<readonly FileState[]> => {
  const { documents, files: types, errors } = await generatedFiles(folders);
  const isWanted = (name: string): boolean => names.length === 0 || names.includes(name);
  const [broken] = [...errors].flatMap(([name, found]) => (isWanted(name) ? found : []));
  if (broken !== undefined) throw new Error(describeDiagnostic(broken));
  requireKnown(
    names,
    documents.map(({ name }) => name),
  );
  const files = new Map<string, string>();
  const states: FileState[] = [];
  const add = (file: string, text: string, state: string): void => {
    files.set(resolve(folders.root, file), text);
    states.push({ file, state });
  };
  for (const [at, document] of documents.entries()) {
    // Of documents with one name the first is served.
    const isFirst = documents.findIndex(({ name }) => name === document.name) === at;
    if (!isFirst || !isWanted(document.name)) continue;
    const stubs = await stubFiles(document, folders);
    if (stubs.length === 0) continue;
    const typed = typesFile(folders, document.name);
    const text = types.get(typed) ?? '';
    const present = resolve(folders.root, typed);
    // The handlers compile with the types of today's document alone.
    if (!existsSync(present) || readFileSync(present, 'utf8') !== text) {
      add(typed, text, 'generated');
    }
    for (const stub of stubs) add(stub.file, stub.text, stub.state);
  }
  writeTogether(files);
  return states;
};
