/** Runs containers by podman, and removes what it made. */

import { existsSync } from 'node:fs';
import { atEnd } from '../machine/run-main';
import { run } from '../machine/run-program';
import { rootFolder } from '../root-folder';

/** Without runc podman takes crun, which refuses machines that have both versions of control groups. */
const program = ['podman', '--runtime', 'runc'];

/**
 * Tells what is missing on this machine.
 * @returns a sentence; undefined where containers can be run
 */
export const missingForContainers = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'Only root can make the images and run systemd in one';
  const folders = ['/usr/bin', '/usr/sbin'];
  const missing = ['debootstrap', 'podman', 'runc', 'unshare'].filter(
    (name) => !folders.some((folder) => existsSync(`${folder}/${name}`)),
  );
  return missing.length > 0
    ? `Not installed: apt-get install --no-install-recommends ${missing.join(' ')}`
    : undefined;
};

/** Runs podman to its end; resolves to what it prints. */
export const podman = (...args: string[]): Promise<string> =>
  run([...program, ...args], rootFolder);

/**
 * Returns the options that `podman build` and `podman run` always get: the machine's network, or none, and lower limits than podman's
 * own, which not every machine lets it set.
 */
export const ofThisMachine = (network: 'host' | 'none' = 'host'): string[] => [
  `--network=${network}`,
  ...['--ulimit', 'nofile=16384:16384', '--ulimit', 'nproc=4096:4096'],
];

/** An image to be made of a Dockerfile. */
interface ImageSource {
  readonly file: string;
  readonly context: string;
  /** The images that it begins with, for which another stands. */
  readonly bases: readonly string[];
  readonly standIn: string;
}

/** Makes an image; npm takes packages from the cache of this machine where that has them. */
export const buildImage = async (
  tag: string,
  { file, context, bases, standIn }: ImageSource,
): Promise<void> => {
  const cache = process.env['npm_config_cache'];
  const ignored = `${file}.dockerignore`;
  await podman(
    ...['build', '--format=docker', '--layers=false', '--file', file, '--tag', tag],
    ...(existsSync(ignored) ? ['--ignorefile', ignored] : []),
    ...ofThisMachine(),
    ...bases.flatMap((image) => ['--build-context', `${image}=container-image://${standIn}`]),
    // The place of npm's cache in a container, whose builds run as root.
    ...(cache === undefined ? [] : ['--volume', `${cache}:/root/.npm`]),
    ...['--volume', '/etc/ssl/certs:/etc/ssl/certs:ro', context],
  );
};

/** Returns the bytes of an image. */
export const sizeOf = async (image: string): Promise<number> =>
  Number(await podman('image', 'inspect', '--format={{.Size}}', image));

/** A container that runs until it is removed. */
export interface Container {
  /** Runs a program in it; resolves to what that prints. */
  exec(command: readonly string[], environment?: Readonly<Record<string, string>>): Promise<string>;
  /** Runs a command of podman on it. */
  podman(command: string, ...options: string[]): Promise<string>;
  /** Resolves to the last lines of both its outputs. */
  log(): Promise<string>;
}

let count = 0;

/**
 * Starts a container, which is removed at the end with its volumes.
 *
 * @param options - those of `podman run`, the image, and the command
 */
export const startContainer = async (
  options: readonly string[],
  network: 'host' | 'none' = 'host',
): Promise<Container> => {
  count += 1;
  const name = `spec-first-try-${process.pid}-${count}`;
  atEnd(() => podman('rm', '--force', '--volumes', '--time=2', name));
  await podman('run', '--detach', '--name', name, ...ofThisMachine(network), ...options);
  return {
    exec(command, environment = {}) {
      const variables = Object.entries(environment).map(([key, value]) => `--env=${key}=${value}`);
      return podman('exec', ...variables, name, ...command);
    },
    podman: (command, ...more) => podman(command, ...more, name),
    log: () => run(['sh', '-c', `${program.join(' ')} logs --tail=20 ${name} 2>&1`], rootFolder),
  };
};
