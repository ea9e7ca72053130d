/** Tells how many stored items do not fit their document: at the start, when all have been looked at, and to the metrics. */

import { DatabaseUnavailable } from '../../storage/connections/database-errors';
import type { ServiceStorage } from '../../storage/storage';
import type { MisfitCount } from '../observability/metrics';

interface StoringService {
  readonly name: string;
  readonly storage: Pick<ServiceStorage, 'misfittingItems'>;
}

/** Counts what is known not to fit, by service and collection. */
export const countMisfits = async (
  services: readonly StoringService[],
): Promise<readonly MisfitCount[]> => {
  const counted = await Promise.all(services.map(({ storage }) => storage.misfittingItems()));
  return services.flatMap(({ name }, at) =>
    Object.entries(counted[at] ?? {}).map(([collection, count]) => ({
      ...{ service: name, collection, count },
    })),
  );
};

/** The same; nothing where the database fails, which the other metrics are to show. */
export const countMisfitsIfPossible = (
  services: readonly StoringService[],
): Promise<readonly MisfitCount[]> =>
  countMisfits(services).catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable) return [];
    throw error;
  });

/** A line for each service that has some. */
export const misfitLines = (counts: readonly MisfitCount[]): readonly string[] => {
  const services = [...new Set(counts.map(({ service }) => service))];
  return services.flatMap((service) => {
    const sum = counts
      .filter((one) => one.service === service)
      .reduce((total, { count }) => total + count, 0);
    if (sum === 0) return [];
    const what = sum === 1 ? '1 stored item does' : `${sum} stored items do`;
    return `${service}: ${what} not fit the document; npm run admin -- data check --service ${service} says why`;
  });
};
