/** Begins a service: a document, and handlers that serve it. */

import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseApiDocument } from '../../../src/engine';
import type { FileState } from '../../../src/tool/command/command';
import { writeTogether } from '../../../src/tool/command/write-together';
import {
  type DocumentSettings,
  newDocument,
  requireUsableName,
} from '../../../src/tool/new/new-document';
import { type Folders, generatedFiles, typesFile, typesOf } from '../../generate/generated-files';
import { newCollections, newDemo, newHandlers, newTest } from './new-handlers';

/** Paths of the server's own. */
const ownPaths = ['livez', 'readyz', 'metrics'];

const requireNew = async (name: string, folders: Folders): Promise<void> => {
  if (ownPaths.includes(name)) {
    throw new Error(`The server itself uses the path /${name}. Use another name.`);
  }
  const { root, specs, handlers } = folders;
  const present = ['yaml', 'yml', 'json']
    .map((ending) => join(specs, `${name}.${ending}`))
    .find((file) => existsSync(resolve(root, file)));
  if (present !== undefined) throw new Error(`${present} already exists. Use another name.`);
  const folder = join(handlers, name);
  if (existsSync(resolve(root, folder)) && readdirSync(resolve(root, folder)).length > 0) {
    throw new Error(`${folder} already exists. Use another name.`);
  }
  if (!existsSync(resolve(root, specs))) return;
  const { documents } = await generatedFiles(folders);
  const clash = documents.find(({ basePath }) => basePath === `/${name}`);
  if (clash !== undefined) {
    throw new Error(`${clash.file} is served at /${name} already. Use another name.`);
  }
};

/**
 * Writes a service, all or nothing.
 * @param name the name of its document, its folder of handlers and its base path
 * @throws Error in one sentence: the name or title is not usable, the service is there, or a file cannot be written
 */
export const addService = async (
  folders: Folders,
  name: string,
  settings: Omit<DocumentSettings, 'server'> = {},
): Promise<readonly FileState[]> => {
  requireUsableName(name);
  await requireNew(name, folders);
  const { root, specs, handlers } = folders;
  const document = join(specs, `${name}.yaml`);
  const text = newDocument(name, { ...settings, server: `/${name}` });
  const folder = join(handlers, name);
  const source = relative(resolve(root, folder), join(root, 'src')).replaceAll('\\', '/');
  const files = new Map([
    [document, text],
    [typesFile(folders, name), typesOf(parseApiDocument(document, text))],
    [join(folder, 'collections.ts'), newCollections(source)],
    [join(folder, 'item.ts'), newHandlers(source)],
    [join(folder, 'demo.ts'), newDemo(source)],
    [join(folder, 'item.test.ts'), newTest(source, name)],
  ]);
  writeTogether(new Map([...files].map(([file, content]) => [resolve(root, file), content])));
  return [...files.keys()].map((file) => ({ file, state: 'written' }));
};
