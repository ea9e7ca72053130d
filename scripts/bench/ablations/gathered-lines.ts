/** Without gathering log lines: pino writes each as it comes, which is its usual way. */

import { countRun, moduleOf, packageOf } from './product';

const { pino } = packageOf<typeof import('pino')>('pino');

moduleOf<typeof import('../../../src/server/observability/log')>(
  'server/observability/log',
).openLog = (level) => {
  const output = pino.destination(1);
  const write = (line: string): void => {
    countRun();
    output.write(line);
  };
  return pino({ level }, { write });
};
