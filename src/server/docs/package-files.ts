/** The files of Swagger UI's package that its page needs; no others can be asked for. */

import { readFile } from 'node:fs/promises';
import { type PageFile, pageFile } from './page-file';

// Each is named in full, so that what a bundler or a reader looks for is found.
const files = {
  'swagger-ui-bundle.js': {
    place: require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    mediaType: 'text/javascript; charset=utf-8',
  },
  'swagger-ui.css': {
    place: require.resolve('swagger-ui-dist/swagger-ui.css'),
    mediaType: 'text/css; charset=utf-8',
  },
  'oauth2-redirect.js': {
    place: require.resolve('swagger-ui-dist/oauth2-redirect.js'),
    mediaType: 'text/javascript; charset=utf-8',
  },
} as const;

/** The name of such a file. */
export type PackageFileName = keyof typeof files;

/** All names. */
export const packageFileNames = Object.keys(files) as readonly PackageFileName[];

/** Gives a file; each is read once, when it is first asked for. */
export type PackageFiles = (name: PackageFileName) => Promise<PageFile>;

/** Makes the reader of the files; one serves all services of the process. */
export const packageFiles = (): PackageFiles => {
  const known = new Map<PackageFileName, Promise<PageFile>>();
  const load = async (name: PackageFileName): Promise<PageFile> => {
    const { place, mediaType } = files[name];
    return pageFile({ mediaType, bytes: await readFile(place) });
  };
  return (name) => {
    const file = known.get(name) ?? load(name);
    known.set(name, file);
    // A file that could not be read now can be read later.
    file.catch(() => known.delete(name));
    return file;
  };
};
