/** Loads the modules of a folder that export handlers, in JavaScript or TypeScript, and loads them again when they were saved. */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage } from '../base/error-message';
import { MissingPackage, withOptionalPackage } from '../base/optional-package';
import { recoverFrom } from '../base/recover';
import { printable } from '../base/text/printable';
import type { SecurityHandlers, UntypedHandler } from '../engine';

/** A handler, and the module that it is from. */
interface LoadedHandler {
  readonly handler: UntypedHandler;
  readonly file: string;
}

/** The exports of the modules of a folder. */
export interface HandlerModules {
  /** By operationId. */
  readonly handlers: ReadonlyMap<string, LoadedHandler>;
  readonly securityHandlers: SecurityHandlers;
  /** Sentences about what cannot be used. */
  readonly problems: readonly string[];
}

type Exports = Readonly<Record<string, unknown>>;
type LoadModule = (url: string) => Promise<Exports>;

/** Returns the absolute path of a folder, links in it followed. */
export const realFolder = (folder: string): string =>
  existsSync(folder) ? realpathSync(folder) : resolve(folder);

/**
 * Forgets the modules below a folder. Modules that loaded them list them as children; these entries have to go, too, or each
 * version of a module would stay in memory.
 */
export const forgetModules = (folder: string): void => {
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
const followVersions = async (folder: string): Promise<void> => {
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
};

const isTypeScript = (file: string): boolean => /\.[cm]?ts$/.test(file);

/** Tells whether this Node.js reads TypeScript. */
const readsTypeScript = (): boolean => Boolean(Reflect.get(process.features, 'typescript'));

/** Makes the loader by tsx, which keeps each version as a world of modules of its own. */
const tsxLoader = async (version: number): Promise<LoadModule> => {
  const load = async () => [await import('tsx/cjs/api'), await import('tsx/esm/api')] as const;
  const [common, esm] = await withOptionalPackage('tsx', 'TypeScript', load);
  const namespace = `handlers-${version}`;
  common.register({ namespace });
  const loader = esm.register({ namespace });
  return (url) => loader.import(url, url);
};

/** Makes the loader by Node.js. */
const nodeLoader = async (folder: string, version: number): Promise<LoadModule> => {
  if (version === 1) await followVersions(folder);
  const query = version === 0 ? '' : `?version=${version}`;
  return (url) => import(`${url}${query}`);
};

const noTypeScript: LoadModule = async () => {
  throw new Error(
    'TypeScript needs Node.js 22.18 or newer, or the package tsx: run npm install tsx. Its operations are mocked.',
  );
};

/** Makes the loader of modules of a folder, some of which may be in TypeScript. */
const loaderFor = async (
  folder: string,
  version: number,
  needsTypeScript: boolean,
): Promise<LoadModule> => {
  if (!needsTypeScript || readsTypeScript()) return nodeLoader(folder, version);
  const withoutTsx = async (): Promise<LoadModule> => {
    const load = await nodeLoader(folder, version);
    return (url) => (isTypeScript(url) ? noTypeScript(url) : load(url));
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
  const check = spawnSync(process.execPath, ['--check', join(folder, name)], { encoding: 'utf8' });
  return placeIn(check.stderr, folder) ?? name;
};

/** Returns the sentence of an error: that of the compiler alone, if it is one of the compiler. */
const sentenceOf = (error: unknown): string => {
  const message = errorMessage(error);
  return /\bERROR: (.+)/.exec(message)?.[1] ?? message.split('\n')[0] ?? message;
};

const isObject = (value: unknown): value is Exports => typeof value === 'object' && value !== null;

/** Lists exports, those in the default export among them: for CommonJS it holds all others. */
const exportsOf = (exported: Exports, depth = 0): readonly (readonly [string, unknown])[] =>
  Object.entries(exported).flatMap(([name, value]) => {
    if (name !== 'default' && name !== 'module.exports') return [[name, value] as const];
    return isObject(value) && depth < 3 ? exportsOf(value, depth + 1) : [];
  });

const isHandler = (value: unknown): value is UntypedHandler => typeof value === 'function';

/** The exports of one module. */
interface LoadedModule {
  readonly file: string;
  readonly handlers: readonly (readonly [operationId: string, handler: UntypedHandler])[];
  readonly securityHandlers: SecurityHandlers;
}

/** Takes the exports of a module: handlers alone or in objects, and security handlers or the function that makes them. */
const readModule = async (file: string, exported: Exports): Promise<LoadedModule> => {
  const all = exportsOf(exported);
  const handlers = all
    .filter(([name]) => name !== 'securityHandlers')
    .flatMap(([name, value]) =>
      isObject(value) ? Object.entries(value) : [[name, value] as const],
    )
    .filter((entry): entry is [string, UntypedHandler] => isHandler(entry[1]));
  const [, given] = all.find(([name]) => name === 'securityHandlers') ?? [];
  const securityHandlers = isHandler(given) ? await Reflect.apply(given, undefined, []) : given;
  return { file, handlers, securityHandlers: Object(securityHandlers) };
};

/** Joins modules; the first one that handles an operation does. */
const joinModules = (modules: readonly LoadedModule[], problems: string[]): HandlerModules => {
  const handlers = new Map<string, LoadedHandler>();
  for (const { file, handlers: own } of modules) {
    for (const [operationId, handler] of own) {
      const other = handlers.get(operationId);
      if (other === undefined) handlers.set(operationId, { handler, file });
      else if (other.handler !== handler)
        problems.push(`${file}: ${operationId} is handled by ${other.file} already. Remove one.`);
    }
  }
  const securityHandlers = Object.assign({}, ...modules.map((one) => one.securityHandlers));
  return { handlers, securityHandlers, problems };
};

/** Modules with handlers: no declarations, and no tests. */
const moduleName = /(?<!\.(?:d|test|spec))\.[cm]?[jt]s$/;

/** Lists the modules of a folder. */
const modulesIn = (folder: string): string[] => {
  if (!existsSync(folder))
    throw new Error(`There is no folder ${folder}. Name one with modules of handlers.`);
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && moduleName.test(entry.name))
    .map(({ name }) => name)
    .sort();
};

/**
 * Makes the function that loads the modules of a folder as they are now. Of a module that cannot be loaded, the exports of its last
 * good version stay.
 * @throws Error if there is no such folder
 */
export const handlerLoader = (shown: string): (() => Promise<HandlerModules>) => {
  const folder = realFolder(shown);
  const good = new Map<string, LoadedModule>();
  let version = 0;
  return async () => {
    const names = modulesIn(folder);
    const problems: string[] = [];
    forgetModules(folder);
    const load = await loaderFor(folder, version, names.some(isTypeScript));
    version += 1;
    for (const name of names) {
      try {
        const exported = await load(pathToFileURL(join(folder, name)).href);
        good.set(name, await readModule(join(shown, name), exported));
      } catch (error) {
        const place = join(shown, placeOf(error, folder, name));
        const stays = good.has(name) ? '; its last good version is used' : '';
        problems.push(printable(`${place} cannot be loaded: ${sentenceOf(error)}${stays}`));
      }
    }
    return joinModules(
      names.flatMap((name) => good.get(name) ?? []),
      problems,
    );
  };
};
