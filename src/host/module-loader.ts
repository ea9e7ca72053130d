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
import type { LoadedModule } from './handler-modules';

type LoadModule = (url: string) => Promise<LoadedModule['exported']>;

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

/** Makes the loader of modules of a folder, some of which may be in TypeScript. */
const loaderFor = async (
  folder: string,
  version: number,
  needsTypeScript: boolean,
): Promise<LoadModule> => {
  const isReadByNode = Boolean(Reflect.get(process.features, 'typescript'));
  if (!needsTypeScript || isReadByNode) return nodeLoader(folder, version);
  const withoutTsx = async (): Promise<LoadModule> => {
    const load = await nodeLoader(folder, version);
    return async (url) => {
      if (!isTypeScript(url)) return load(url);
      throw new Error(
        'TypeScript needs Node.js 22.18 or newer, or the package tsx: run npm install tsx. Its operations are mocked.',
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
  const check = spawnSync(process.execPath, ['--check', join(folder, name)], { encoding: 'utf8' });
  return placeIn(check.stderr, folder) ?? name;
};

/** Returns the sentence of an error: that of the compiler alone, if it is one of the compiler. */
const sentenceOf = (error: unknown): string => {
  const message = errorMessage(error);
  return /\bERROR: (.+)/.exec(message)?.[1] ?? message.split('\n')[0] ?? message;
};

/** Modules with handlers: no declarations, and no tests. */
const moduleName = /(?<!\.(?:d|test|spec))\.[cm]?[jt]s$/;

/** Lists the modules of a folder, and of folders in it. */
const modulesIn = (folder: string, subfolders: readonly string[]): string[] => {
  if (!existsSync(folder))
    throw new Error(`There is no folder ${folder}. Name one with modules of handlers.`);
  return ['', ...subfolders].flatMap((subfolder) =>
    readdirSync(join(folder, subfolder), { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && moduleName.test(entry.name))
      .map(({ name }) => join(subfolder, name))
      .sort(),
  );
};

/** The modules of a folder as they were loaded. */
export interface LoadedFolder {
  readonly modules: readonly LoadedModule[];
  /** Sentences about those that cannot be loaded. */
  readonly problems: readonly string[];
}

/**
 * Makes the function that loads the modules of a folder, and of those in it that are named, as they are now. Of a module that cannot be
 * loaded, the exports of its last good version stay.
 * @throws Error if there is no such folder
 */
export const moduleLoader = (
  shown: string,
): ((subfolders: readonly string[]) => Promise<LoadedFolder>) => {
  const folder = realFolder(shown);
  const good = new Map<string, LoadedModule>();
  let version = 0;
  return async (subfolders) => {
    const names = modulesIn(folder, subfolders);
    const problems: string[] = [];
    forgetModules(folder);
    const load = await loaderFor(folder, version, names.some(isTypeScript));
    version += 1;
    for (const name of names) {
      const file = join(shown, name);
      try {
        good.set(name, { file, exported: await load(pathToFileURL(join(folder, name)).href) });
      } catch (error) {
        const place = join(shown, placeOf(error, folder, name));
        const stays = good.has(name) ? '; its last good version is used' : '';
        problems.push(printable(`${place} cannot be loaded: ${sentenceOf(error)}${stays}`));
      }
    }
    return { modules: names.flatMap((name) => good.get(name) ?? []), problems };
  };
};
