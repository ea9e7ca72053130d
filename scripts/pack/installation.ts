/** Installs the package from its tarball, as npm does it in the folder of a user's program, and measures the result. */

import { copyFile, lstat, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../machine/run-program';

/** The most that an installation may have; how much of a disk that takes is the file system's to say. */
const limits = { packages: 25, bytes: 8 * 2 ** 20 };

/** Packages that do not come with this one: storage, servers, and what needs a compiler. */
const unwanted =
  /^(express|fastify|hono|knex|pg|sqlite3|better-sqlite3|swagger-ui-dist|typescript)$/;

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** Copies programs that use the package into the folder of an installation. */
export const copyPrograms = async (folder: string): Promise<void> => {
  const programs = join(__dirname, 'programs');
  for (const file of await readdir(programs)) {
    await copyFile(join(programs, file), join(folder, file));
  }
};

/**
 * Installs a tarball into a folder, without scripts.
 *
 * @returns a sentence with the measures of the installation
 * @throws Error where it is too large, or has what must not be in it
 */
export const install = async (tarball: string, folder: string): Promise<string> => {
  await writeFile(join(folder, 'package.json'), '{}');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const began = performance.now();
  await run(['npm', 'install', ...options, tarball], folder);
  const seconds = (performance.now() - began) / 1000;
  const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  const packages = Object.keys(lock.packages)
    .filter((path) => path !== '' && lock.packages[path].peer !== true)
    .map((path) => path.replace(/^.*node_modules\//, ''));
  const installed = join(folder, 'node_modules');
  const files = await readdir(installed, { recursive: true });
  const stats = await Promise.all(files.map((file) => lstat(join(installed, file))));
  const bytes = stats.reduce((sum, { size }) => sum + size, 0);
  const bytesOnDisk = stats.reduce((sum, { blocks }) => sum + blocks * 512, 0);
  const measures = `${packages.length} packages, ${megabytes(bytes)}, ${megabytes(bytesOnDisk)} on disk, in ${seconds.toFixed(1)} s`;
  const isTooLarge = packages.length > limits.packages || bytes > limits.bytes;
  const unwelcome = [
    ...packages.filter((name) => unwanted.test(name)),
    ...files.filter((file) => /\.node$|(^|\/)binding\.gyp$/.test(file)),
  ];
  if (isTooLarge) throw new Error(`The installation is too large: ${measures}`);
  if (unwelcome.length > 0) throw new Error(`The installation has ${unwelcome.join(', ')}`);
  return measures;
};
