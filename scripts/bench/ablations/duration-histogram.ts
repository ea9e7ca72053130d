/** Without counting durations ourselves: prom-client's own histogram does. */

import { countRun, moduleOf, packageOf } from './product';

const { Histogram } = packageOf<typeof import('prom-client')>('prom-client');

moduleOf<typeof import('../../../src/server/observability/duration-histogram')>(
  'server/observability/duration-histogram',
).durationHistogram = (registry, { name, help, bounds }) => {
  const labelNames = ['operation', 'method', 'status'];
  const registers = [registry];
  const histogram = new Histogram({ name, help, labelNames, registers, buckets: [...bounds] });
  return (labels) => ({
    observe(seconds) {
      countRun();
      histogram.observe(labels, seconds);
    },
  });
};
