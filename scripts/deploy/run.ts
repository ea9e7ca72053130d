/** `npm run deploy-test` makes the image of the Dockerfile, runs the server in it and by its systemd unit, and tries the image of the tool. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atEnd, runMain, say } from '../machine/run-main';
import { rootFolder } from '../root-folder';
import { baseImage, basesOf } from './base-image';
import { buildImage, missingForContainers, podman, sizeOf } from './podman';
import { tryTool } from './tool-image';
import { tryImage, tryUnit } from './trials';

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
    const file = join(__dirname, 'Dockerfile');
    const source = { file, context: rootFolder, bases: bases.images, standIn: base };
    await buildImage(image, source);
    atEnd(() => podman('rmi', '--force', image));
    const megabytes = ((await sizeOf(image)) - (await sizeOf(base))) / 1e6;
    return `adds ${megabytes.toFixed()} MB to ${bases.images.at(-1)}`;
  });
  await part('container', () => tryImage(image));
  await part('systemd', () => tryUnit(base, image));
  await part('image of the tool', () => tryTool(base));
  return 0;
});
