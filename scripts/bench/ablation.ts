/** The ablation: a race of ours whole and ours without each of its techniques. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ours, type Program } from './contestants/programs';

const build = join(__dirname, 'build/ablations');

/** Returns ours, and ours without each technique: a script that is loaded in front of the program replaces it by something plain. */
export const ablationPrograms = (names: readonly string[]): readonly Program[] => {
  const techniques = readdirSync(join(__dirname, 'ablations'))
    .filter((file) => file.endsWith('.ts') && file !== 'product.ts')
    .map((file) => file.slice(0, -'.ts'.length));
  const unknown = names.find((name) => !techniques.includes(name));
  if (unknown !== undefined) {
    throw new Error(`Unknown technique ${unknown}; choose from ${techniques.join(', ')}`);
  }
  const chosen = names.length === 0 ? techniques : names;
  const without = (name: string): Program =>
    ours({
      id: name,
      title: `without ${name}`,
      nodeArgs: ['--require', join(build, `${name}.js`)],
    });
  return [ours(), ...chosen.map(without)];
};
