/** `npm run deploy-test` makes the image of the Dockerfile, and runs the server in it and by its systemd unit. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atEnd, runMain, say } from '../machine/run-main';
import { baseImage, basesOf } from './base-image';
import { missingForContainers, ofThisMachine, podman } from './podman';
import { tryImage, tryUnit } from './trials';

/** Makes the image; npm takes packages from the cache of this machine where that has them. */
const buildImage = async (base: string, images: readonly string[], tag: string): Promise<void> => {
  const cache = process.env['npm_config_cache'];
  const file = join('scripts/deploy', 'Dockerfile');
  await podman(
    ...['build', '--format=docker', '--layers=false', '--file', file, '--tag', tag],
    ...['--ignorefile', `${file}.dockerignore`, ...ofThisMachine],
    ...images.flatMap((image) => ['--build-context', `${image}=container-image://${base}`]),
    ...(cache === undefined ? [] : ['--volume', `${cache}:/root/.npm`]),
    ...['--volume', '/etc/ssl/certs:/etc/ssl/certs:ro', '.'],
  );
};

const sizeOf = async (image: string): Promise<number> =>
  Number(await podman('image', 'inspect', '--format={{.Size}}', image));

/** Does a part, and says how long it took and what it found. */
const part = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
  const began = performance.now();
  const result = await work();
  const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
  say(`${name.padEnd(16)} ${seconds} s  ${result}`);
  return result;
};

runMain(async () => {
  const missing = missingForContainers();
  if (missing !== undefined) throw new Error(missing);
  const bases = basesOf(await readFile(join(__dirname, 'Dockerfile'), 'utf8'));
  const base = await part('base image', () => baseImage(bases));
  const image = `localhost/spec-first-try:${process.pid}`;
  await part('image', async () => {
    await buildImage(base, bases.images, image);
    atEnd(() => podman('rmi', '--force', image));
    const megabytes = ((await sizeOf(image)) - (await sizeOf(base))) / 1e6;
    return `adds ${megabytes.toFixed()} MB to ${bases.images.at(-1)}`;
  });
  await part('container', () => tryImage(image));
  await part('systemd', () => tryUnit(base, image));
  return 0;
});
