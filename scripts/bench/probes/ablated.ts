/** Ours without one of its techniques: the built program, with a script loaded in front of it that replaces a part. */

import { once } from 'node:events';
import { join } from 'node:path';
import { copyOf, removeDatabase } from '../targets/database-files';
import { type OurOptions, ourFile, startOurs } from '../targets/ours';
import { ablationBuild } from '../machine/places';
import type { Technique } from './techniques';

/** A running server: ours whole where it lacks no technique. */
export interface Variant {
  readonly without: Technique | undefined;
  readonly running: Awaited<ReturnType<typeof startOurs>>;
}

/** Where it runs. */
export interface Ground {
  readonly ours: OurOptions;
  readonly pets: number;
  readonly core: number | undefined;
}

/** Starts ours on a copy of the filled database, without a technique where one is given. */
export const startWithout = async (
  without: Technique | undefined,
  { ours, pets, core }: Ground,
): Promise<Variant> => {
  const { path, credentials } = await ourFile(ours, pets);
  const copy = copyOf(path);
  const nodeArgs = without && ['--require', join(ablationBuild, `${without.name}.js`)];
  const running = await startOurs(
    { ...ours, ...(nodeArgs && { nodeArgs }) },
    `sqlite:${copy}`,
    credentials,
    core,
    { messages: true, cleanUp: () => removeDatabase(copy) },
  );
  return { without, running };
};

/** How often what replaces the technique has run so far. */
export const runsOf = async ({ without, running: { child } }: Variant): Promise<number> => {
  if (without === undefined) return 0;
  const answer = once(child, 'message');
  child.send('runs');
  const [runs]: unknown[] = await answer;
  return Number(runs);
};
