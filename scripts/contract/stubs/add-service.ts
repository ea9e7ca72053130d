/** Begins a service: a document, and handlers that serve it. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { stringify } from 'yaml';
import { upgradeText } from '../../../src/document/upgrade/upgrade';
import { newestVersion } from '../../../src/document/versions/versions';
import { type ApiDocument, parseApiDocument } from '../../../src/engine';
import { type Folders, generatedFiles, typesFile } from '../../generate/generated-files';
import { printTypes } from '../../generate/print-types';
import { newCollections, newDemo, newHandlers } from './new-handlers';
import { writeTogether } from './write-together';

/** Paths of the server's own. */
const ownPaths = ['livez', 'readyz', 'metrics'];

const requireUsableName = (name: string): void => {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 50) {
    const rule = 'lower-case letters, digits and single hyphens, at most 50, a letter first';
    throw new Error(`${JSON.stringify(name)} cannot name a service. Use ${rule}.`);
  }
  if (ownPaths.includes(name)) {
    throw new Error(`The server itself uses the path /${name}. Use another name.`);
  }
};

const requireUsableTitle = (title: string): void => {
  if (title.trim() === '' || /\p{Cc}|[\u2028\u2029]/u.test(title)) {
    throw new Error('The title must be one line of text.');
  }
};

const documentsOf = async (folders: Folders): Promise<readonly ApiDocument[]> =>
  existsSync(resolve(folders.root, folders.specs)) ? (await generatedFiles(folders)).documents : [];

const requireNew = async (name: string, folders: Folders): Promise<void> => {
  const { root, specs, handlers } = folders;
  const present = ['yaml', 'yml', 'json']
    .map((ending) => join(specs, `${name}.${ending}`))
    .find((file) => existsSync(resolve(root, file)));
  if (present !== undefined) throw new Error(`${present} already exists. Use another name.`);
  const folder = join(handlers, name);
  if (existsSync(resolve(root, folder)) && readdirSync(resolve(root, folder)).length > 0) {
    throw new Error(`${folder} already exists. Use another name.`);
  }
  const clash = (await documentsOf(folders)).find(({ basePath }) => basePath === `/${name}`);
  if (clash !== undefined) {
    throw new Error(`${clash.file} is served at /${name} already. Use another name.`);
  }
};

/** `book-club` as `Book club`. */
const titleOf = (name: string): string => {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Fills in the document that a new service begins with: items that are listed, created, read and deleted. */
const newDocument = (name: string, title: string, openapi: string | undefined): string => {
  const text = readFileSync(join(__dirname, 'new-service.yaml'), 'utf8')
    .replaceAll('$NAME', name)
    // As a scalar of YAML on one line.
    .replace('$TITLE', () => stringify(title, { lineWidth: 0 }).trimEnd());
  return openapi === newestVersion.name ? upgradeText(name, text).text : text;
};

/** Settings of a new service. */
interface ServiceSettings {
  /** Made of the name by default. */
  readonly title?: string;
  /** The version of its document; the oldest by default. */
  readonly openapi?: string;
}

/**
 * Writes a service, all or nothing.
 * @param name the name of its document, its folder of handlers and its base path
 * @returns a line for each file
 * @throws Error in one sentence: the name or title is not usable, the service is there, or a file cannot be written
 */
export const addService = async (
  folders: Folders,
  name: string,
  { title = titleOf(name), openapi }: ServiceSettings = {},
): Promise<readonly string[]> => {
  requireUsableName(name);
  requireUsableTitle(title);
  await requireNew(name, folders);
  const { root, specs, handlers } = folders;
  const document = join(specs, `${name}.yaml`);
  const text = newDocument(name, title, openapi);
  const folder = join(handlers, name);
  const source = relative(resolve(root, folder), join(root, 'src')).replaceAll('\\', '/');
  const files = new Map([
    [document, text],
    [typesFile(folders, name), printTypes(parseApiDocument(document, text))],
    [join(folder, 'collections.ts'), newCollections(source)],
    [join(folder, 'item.ts'), newHandlers(source)],
    [join(folder, 'demo.ts'), newDemo(source)],
  ]);
  writeTogether(new Map([...files].map(([file, content]) => [resolve(root, file), content])));
  return [...files.keys()].map((file) => `${file}: written`);
};
