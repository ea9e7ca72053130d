/** Loads the modules of folders that export handlers, in JavaScript or TypeScript, and loads them again when they were saved. */

import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { errorMessage } from '../base/error-message';
import { lazy, memoize } from '../base/memoize';
import { MissingPackage, withOptionalPackage } from '../base/optional-package';
import { attempt, recoverFrom } from '../base/recover';
import { printable } from '../base/text/printable';
import {
  declares,
  type FailedModule,
  type HandlerModules,
  isFile,
  joinModules,
  type LoadedModule,
  type LoadedModules,
  type LoadHandlers,
  readFolder,
} from './handler-modules';

const unbounded = { max: Number.POSITIVE_INFINITY };

type ImportModule = (url: string) => Promise<LoadedModule['exported']>;

/** Returns the absolute path of a folder, links in it followed. */
export const realFolder = (folder: string): string =>
  existsSync(folder) ? realpathSync(folder) : resolve(folder);

/**
 * Forgets the modules below a folder. Modules that loaded them list them as children; these entries have to go, too, or each
 * version of a module would stay in memory.
 */
const forgetModules = (folder: string): void => {
  const start = realFolder(folder) + sep;
  const isForgotten = (path: string | undefined): boolean => path?.startsWith(start) === true;
  for (const [path, loaded] of Object.entries(require.cache)) {
    if (isForgotten(path)) delete require.cache[path];
    else if (loaded?.children !== undefined)
      loaded.children = loaded.children.filter(({ filename }) => !isForgotten(filename));
  }
};

/**
 * Has the modules that a module with `?version=N` imports from its folder take the same version: ES modules stay in memory by their
 * URLs.
 */
const followVersions = memoize(async (folder: string): Promise<void> => {
  const hooks = `data:text/javascript,${encodeURIComponent(`
    const start = ${JSON.stringify(`${pathToFileURL(folder).href}/`)};
    export const follow = (resolved, { parentURL = '' }) => {
      const [version] = /[?]version=[0-9]+$/.exec(parentURL) ?? [];
      const isOwn = resolved.url.startsWith(start) && !resolved.url.includes('?');
      return version && isOwn ? { ...resolved, url: resolved.url + version } : resolved;
    };
    export const resolve = async (specifier, context, next) => follow(await next(specifier, context), context);
    export const inThread = {
      resolve: (specifier, context, next) => follow(next(specifier, context), context),
    };
  `)}`;
  // Node.js 22.15 and newer; its predecessor is deprecated since Node.js 26.
  const registerHooks: unknown = Reflect.get(module, 'registerHooks');
  if (typeof registerHooks !== 'function') module.register(hooks);
  else registerHooks((await import(hooks)).inThread);
}, unbounded);

const isTypeScript = (file: string): boolean => /\.[cm]?ts$/.test(file);

/** Makes the loader by tsx, which keeps each version as a world of modules of its own. */
const tsxLoader = async (version: number): Promise<ImportModule> => {
  const load = async () => [await import('tsx/cjs/api'), await import('tsx/esm/api')] as const;
  const [common, esm] = await withOptionalPackage('tsx', 'TypeScript', load);
  const namespace = `handlers-${version}`;
  common.register({ namespace });
  const loader = esm.register({ namespace });
  return (url) => loader.import(url, url);
};

const nodeLoader = async (folder: string, version: number): Promise<ImportModule> => {
  if (version > 0) await followVersions(folder);
  const query = version === 0 ? '' : `?version=${version}`;
  return (url) => import(`${url}${query}`);
};

const hasTypeScript = (folder: string): boolean =>
  readdirSync(folder, { withFileTypes: true }).some((entry) =>
    entry.isDirectory()
      ? readdirSync(join(folder, entry.name)).some(isTypeScript)
      : isTypeScript(entry.name),
  );

/** Makes the function that imports modules of a folder; each version of them is loaded again. */
type MakeImport = (folder: string, version: number) => Promise<ImportModule>;

/** Loads them into the modules of this program, as `require` does. */
const byRequire: MakeImport = async (folder, version) => {
  if (version > 0) forgetModules(folder);
  return async (url) => require(fileURLToPath(url));
};

/** Tells whether Node.js runs TypeScript by itself: 22.18 and newer do. */
export const nodeReadsTypeScript = (): boolean =>
  Boolean(Reflect.get(process.features, 'typescript'));

/** Loads them as a program of its own does: ES modules, CommonJS and, by Node.js or tsx, TypeScript. */
export const byImport: MakeImport = async (folder, version) => {
  forgetModules(folder);
  if (nodeReadsTypeScript() || !hasTypeScript(folder)) return nodeLoader(folder, version);
  const withoutTsx = async (): Promise<ImportModule> => {
    const load = await nodeLoader(folder, version);
    return async (url) => {
      if (!isTypeScript(url)) return load(url);
      throw new Error(
        'TypeScript needs Node.js 22.18 or newer, or the package tsx: run npm install tsx',
      );
    };
  };
  return tsxLoader(version).catch(recoverFrom(MissingPackage, withoutTsx));
};

/** Finds the first place below the folder that a text names: `FILE:LINE`, perhaps with a column. */
const placeIn = (text: string, folder: string): string | undefined => {
  const places = [folder, pathToFileURL(folder).pathname].flatMap((start) =>
    text.split(start + sep).slice(1),
  );
  const found = places.map((place) => /^([^\s:?()]+)(?:\?[^\s:]*)?(:\d+(?::\d+)?)/.exec(place));
  const [, name, position] = found.find((match) => match !== null) ?? [];
  return name && `${name}${position}`;
};

/** Finds the place of an error of a module; where an ES module breaks the syntax, Node.js says to its own reader alone. */
const placeOf = (error: unknown, folder: string, name: string): string => {
  const { message = '', stack = '' }: Partial<Error> = Object(error);
  const place = placeIn(`${message}\n${stack}`, folder);
  if (place !== undefined) return place;
  if (!isFile(join(folder, name))) return name;
  const check = spawnSync(process.execPath, ['--check', join(folder, name)], { encoding: 'utf8' });
  return placeIn(check.stderr, folder) ?? name;
};

/** Lists modules with handlers, in source or compiled: no declarations, and no tests. */
const moduleNames = async (folder: string): Promise<readonly string[]> =>
  (await readFolder(folder))
    .map(({ name }) => name)
    .filter((name) => /(?<!\.(?:d|test|spec))\.[cm]?[jt]s$/.test(name))
    .sort();

/** Gives the source folder of a compiled one: `handlers` for `dist/handlers`; other paths stay as they are. */
const sourceOf = (path: string): string => resolve(path).replace(/^(.*)\/dist(?=\/)/, '$1');

/** Gives the place of a module for its author: of a compiled one the source where it exists, in which lines are others. */
const authorsPlace = (path: string): string => {
  const compiled = path.replace(/(?::\d+)+$/, '');
  const source = sourceOf(compiled).replace(/\.js$/, '.ts');
  const file = source !== resolve(compiled) && existsSync(source) ? source : path;
  const short = relative('', file);
  return short.startsWith('..') ? file : short;
};

/** Reads what the author wrote of a module: of a compiled one the source, which its map has where the file is gone. */
const sourceText = (path: string): string => {
  const source = sourceOf(path).replace(/\.js$/, '.ts');
  if (source !== resolve(path) && existsSync(source)) return readFileSync(source, 'utf8');
  const map: unknown = attempt(() => JSON.parse(readFileSync(`${path}.map`, 'utf8')));
  const [text = readFileSync(path, 'utf8')]: readonly string[] =
    Reflect.get(Object(map), 'sourcesContent') ?? [];
  return text;
};

const isWritten = (file: string): boolean => !file.startsWith('types.');

const requireCompiled = async (directory: string): Promise<void> => {
  const source = sourceOf(directory);
  if (source === resolve(directory) || !(await moduleNames(source)).some(isWritten)) return;
  throw new Error(
    `${relative('', source)} cannot be loaded: it is not compiled; run npm run build`,
  );
};

/** Loads handlers, and loads them again once they are forgotten. */
export interface HandlerLoader {
  readonly load: LoadHandlers;
  /**
   * Has modules loaded again by the next `load` where one of the changed files is in the folder, and returns whether one is; modules of
   * which loading fails stay as they were.
   */
  forget(changed: readonly string[]): boolean;
}

/**
 * Makes the loader of the modules in a folder: those of a document are in the folder of its name, and where they are shared, those in the
 * folder itself are of every document.
 */
export const handlerLoader = (
  shown: string,
  makeImport: MakeImport = byRequire,
  isShared = false,
): HandlerLoader => {
  const folder = realFolder(shown);
  const good = new Map<string, LoadedModule>();

  const loadFrom = async (names: readonly string[], importModule: ImportModule) => {
    const modules: LoadedModule[] = [];
    const failed: FailedModule[] = [];
    const behind: FailedModule[] = [];
    for (const name of names) {
      const file = authorsPlace(join(shown, name));
      try {
        if (!isFile(join(folder, name))) throw new Error('it is no file');
        const exported = await importModule(pathToFileURL(join(folder, name)).href);
        good.set(name, { file, exported });
      } catch (error) {
        const place = authorsPlace(join(shown, placeOf(error, folder, name)));
        const message = errorMessage(error);
        // That of the compiler alone, if it is one of the compiler.
        const sentence = /\bERROR: (.+)/.exec(message)?.[1] ?? message.split('\n')[0] ?? message;
        const reason = printable(`${place} cannot be loaded: ${sentence}`);
        (good.has(name) ? behind : failed).push({ file, reason, cause: error });
      }
      modules.push(...[good.get(name) ?? []].flat());
    }
    return { modules, failed, behind };
  };

  const migrationsOf = async (
    name: string,
    importing: () => Promise<ImportModule>,
  ): Promise<LoadedModules['migrations']> => {
    const names = await moduleNames(join(folder, name, 'migrations'));
    return names.map((module) => {
      const path = join(name, 'migrations', module);
      const file = authorsPlace(join(shown, path));
      return {
        name: module.replace(/\.[^.]+$/, ''),
        file,
        hash: hash('sha256', sourceText(join(folder, path)).replaceAll('\r', '')),
        async load() {
          try {
            const load = await importing();
            return await load(pathToFileURL(join(folder, path)).href);
          } catch (cause) {
            throw new Error(`${file} cannot be loaded: ${errorMessage(cause)}`, { cause });
          }
        },
        placeOf: (error) => {
          const found = placeIn(String(Object(error).stack), join(folder, name, 'migrations'));
          return found === undefined ? file : authorsPlace(join(shown, name, 'migrations', found));
        },
      };
    });
  };

  const load = async (name: string, importing: () => Promise<ImportModule>) => {
    const own = await moduleNames(join(folder, name));
    const shared = isShared ? await moduleNames(folder) : [];
    const names = [...shared, ...own.map((file) => join(name, file))];
    const exist = [...shared, ...own].some(isWritten);
    if (!exist) await requireCompiled(join(shown, name));
    const loaded = names.length === 0 ? undefined : await loadFrom(names, await importing());
    const { modules = [], failed = [], behind = [] } = loaded ?? {};
    for (const { file, reason, cause } of failed) {
      // What the others are made with must be there.
      const isNeeded = ['collections', 'accounts'].some((kind) => declares({ file }, kind));
      if (isNeeded) throw new Error(reason, { cause });
    }
    const migrations = await migrationsOf(name, importing);
    return joinModules({ exist, modules, failed, behind, migrations }, join(shown, name));
  };

  const loadVersion = (version: number): LoadHandlers => {
    const importing = lazy(() => makeImport(folder, version));
    return memoize((name) => load(name, importing), unbounded);
  };
  let version = 0;
  let current = loadVersion(version);
  return {
    load: (name) => current(name),
    forget(changed) {
      const start = resolve(shown) + sep;
      if (!changed.some((file) => file.startsWith(start))) return false;
      version += 1;
      current = loadVersion(version);
      return true;
    },
  };
};

/**
 * Loads the modules of one document once.
 *
 * @param importSource - imports a module of TypeScript by its path: then compiled modules are loaded from their source, where that exists
 * @throws Error naming the module without which none can be used, or the folder that is not compiled
 */
export const loadHandlerModules = async (
  directory: string,
  name: string,
  importSource?: (file: string) => Promise<LoadedModule['exported']>,
): Promise<HandlerModules> => {
  const source = sourceOf(directory);
  const hasSource = source !== resolve(directory) && existsSync(join(source, name));
  if (importSource === undefined || !hasSource) return handlerLoader(directory).load(name);
  const makeImport: MakeImport = async () => (url) => importSource(fileURLToPath(url));
  return handlerLoader(source, makeImport).load(name);
};
