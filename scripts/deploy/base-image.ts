/** Makes the image that stands for the base images of the Dockerfile, since no registry is asked: Debian with Node.js and npm. */

import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../machine/run-main';
import { run } from '../machine/run-program';
import { rootFolder } from '../root-folder';
import { podman } from './podman';

/** The base images of a Dockerfile, and what their tags say. */
export interface Bases {
  readonly images: readonly string[];
  /** The version of Node.js. */
  readonly node: string;
  /** The name of Debian's version. */
  readonly debian: string;
}

/** Reads the base images from the text of a Dockerfile. */
export const basesOf = (dockerfile: string): Bases => {
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
  const [, node, debian] = /^node:([\d.]+)-([a-z]+)/.exec(images.at(-1) ?? '') ?? [];
  if (node === undefined || debian === undefined) {
    throw new Error('The last base image of the Dockerfile is not node:VERSION-DEBIAN');
  }
  return { images, node, debian };
};

/** Puts the SQLite module that the checkout has compiled where prebuild-install looks before it asks the network or compiles. */
const copyCompiled = async (root: string): Promise<string> => {
  const folder = join(root, 'prebuilds');
  await mkdir(folder);
  const installed = join(rootFolder, 'node_modules/sqlite3');
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  const tarball = `sqlite3-v${version}-napi-v6-${process.platform}-${process.arch}.tar.gz`;
  const file = 'build/Release/node_sqlite3.node';
  await run(['tar', '-czf', join(folder, tarball), file], installed);
  return 'npm_config_sqlite3_local_prebuilds=/prebuilds';
};

/** Returns the program of that version of Node.js, as the tests of the package have it. */
const nodeProgram = async (version: string): Promise<string> => {
  const [major] = version.split('.');
  const folder = join(rootFolder, 'scripts/pack/node_modules', `node${major}`);
  const found = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version;
  if (found !== version) throw new Error(`scripts/pack has Node.js ${found}, not ${version}`);
  return join(folder, 'bin/node');
};

const copyNode = async (root: string, program: string): Promise<void> => {
  const local = join(root, 'usr/local');
  const npm = process.env['npm_execpath'];
  if (npm === undefined) throw new Error('Start this by npm run deploy-test');
  await cp(join(npm, '../..'), join(local, 'lib/npm'), { recursive: true });
  await symlink('../lib/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  await cp(program, join(local, 'bin/node'));
  await symlink('/usr/local/bin/node', join(root, 'usr/bin/node'));
};

const make = async (tag: string, { node, debian }: Bases): Promise<void> => {
  const program = await nodeProgram(node);
  // Not below /tmp, which may be in memory, or without devices.
  const folder = temporaryFolder('spec-first-base-', '/var/tmp');
  const root = join(folder, 'root');
  const tarball = join(folder, 'root.tar');
  // Debian's smallest system, systemd, which runs the unit, and what takes symbols out of Node.js.
  const debootstrap = ['debootstrap', '--variant=minbase', '--include=systemd,binutils'];
  // What it mounts is gone with its namespace, however it ends.
  await run(['unshare', '--mount', ...debootstrap, debian, root], rootFolder);
  await copyNode(root, program);
  const changes = [
    await copyCompiled(root),
    'npm_config_prefer_offline=true',
    'npm_config_cafile=/etc/ssl/certs/ca-certificates.crt',
  ].flatMap((variable) => ['--change', `ENV ${variable}`]);
  await run(['tar', '-cf', tarball, '--exclude=./var/cache/apt/archives/*.deb', '.'], root);
  await podman('import', '--quiet', ...changes, tarball, tag);
};

/**
 * Makes the image, unless an earlier run has left the same one.
 * @returns its name
 */
export const baseImage = async (bases: Bases): Promise<string> => {
  const hash = createHash('sha256').update(await readFile(__filename));
  hash.update(await readFile(join(rootFolder, 'package-lock.json')));
  hash.update(JSON.stringify(bases));
  const tag = `localhost/spec-first-base:${hash.digest('hex').slice(0, 12)}`;
  const known = await podman('images', '--quiet', tag);
  if (known === '') await make(tag, bases);
  return tag;
};
