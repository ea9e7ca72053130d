/** Shows how far a race is: one line that changes on a terminal, a line a scenario elsewhere. */

import type { Progress } from './race';

const minutes = (seconds: number): string =>
  seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

/** Writes to standard error, so that standard output holds the report alone. */
export const showProgress = (stream: NodeJS.WriteStream = process.stderr): Progress => {
  const begin = performance.now();
  let lastHeat = '';
  let drawn = 0;
  return {
    line(text) {
      stream.write(drawn > 0 ? `\r${' '.repeat(drawn)}\r${text}\n` : `${text}\n`);
      drawn = 0;
    },
    step(done, all, text) {
      const seconds = (performance.now() - begin) / 1000;
      const share = all === 0 ? '' : `${String(done).padStart(String(all).length)}/${all}  `;
      const line = `${share}${text}  (${minutes(seconds)})`;
      if (stream.isTTY) {
        stream.write(`\r${line.padEnd(drawn)}`);
        drawn = line.length;
        return;
      }
      const heat = text.split('  ', 2).join('  ').replace(/ × .*/, '');
      if (heat !== lastHeat) stream.write(`${line}\n`);
      lastHeat = heat;
    },
  };
};
