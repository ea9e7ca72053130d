/** Where the benchmark finds and keeps its files. */

import { resolve } from 'node:path';

export const benchFolder = resolve(__dirname, '..');
/** Where the contestants' programs are after their build. */
export const peerBuild = resolve(benchFolder, 'build/servers');
/** Where the programs are after their build that switch techniques off. */
export const ablationBuild = resolve(benchFolder, 'build/ablations');
/** Git does not know it: reports, and databases that were filled before. */
export const resultsFolder = resolve(benchFolder, 'results');
