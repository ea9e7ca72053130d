/** Has all workers serve the same documents: they read them again together, and either all serve them or none. */

import type { Channel } from './ipc';

/** The requests of a worker to the primary, and of the primary to a worker. */
const requests = {
  /** Whether documents of this version may be served beside those of the other workers. */
  admit: 'admit documents',
  /** Build what serves the documents of today; the response is their version. */
  prepare: 'prepare documents',
  /** Serve what was prepared. */
  serve: 'serve documents',
  /** Serve what was served before. */
  forget: 'forget documents',
} as const;

/** To read large documents keeps a worker from responding. */
const longestMilliseconds = 60_000;

/** Documents that were read, and are ready to be served. */
export interface PreparedDocuments {
  readonly version: string;
  serve(): void;
}

/** Lets a worker take part. */
export interface WorkerReload {
  /** @throws Error where the other workers serve another version */
  admit(version: string): Promise<void>;
}

/**
 * Has a worker do what the primary says.
 *
 * @param prepare - reads the documents; called when the worker has been admitted
 */
export const followReloads = (
  primary: Channel,
  prepare: () => Promise<PreparedDocuments>,
): WorkerReload => {
  let prepared: PreparedDocuments | undefined;
  primary.handle(requests.prepare, async () => {
    prepared = await prepare();
    return prepared.version;
  });
  primary.handle(requests.serve, () => {
    prepared?.serve();
    prepared = undefined;
  });
  primary.handle(requests.forget, () => {
    prepared = undefined;
  });
  return {
    admit: async (version) => {
      await primary.request(requests.admit, version, longestMilliseconds);
    },
  };
};

/** What the primary knows of its workers. */
export interface WorkerReloads {
  /** Lets a worker be admitted. */
  add(worker: Channel): void;
  /**
   * Resolves to the version that all serve then.
   * @throws Error with the reason why all serve what they did before
   */
  reload(): Promise<string>;
}

/** Makes what leads the workers. */
export const leadReloads = (): WorkerReloads => {
  let admitted: readonly Channel[] = [];
  let served = '';
  /** Reloads and admissions, one after the other. */
  let last: Promise<unknown> = Promise.resolve();

  const inTurn = <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };

  const running = (): readonly Channel[] => {
    admitted = admitted.filter((worker) => worker.isOpen());
    return admitted;
  };

  const admit = (worker: Channel, version: string): void => {
    if (running().length > 0 && version !== served) {
      throw new Error(
        `The documents have changed, and the other workers serve those of before (version ${served}). Reload them, or put them back.`,
      );
    }
    served = version;
    admitted = [...admitted, worker];
  };

  /** What those respond that are still there; all have responded then. */
  const askAll = async (name: string): Promise<readonly unknown[]> => {
    const asked = running();
    const answers = await Promise.allSettled(
      asked.map((worker) => worker.request(name, undefined, longestMilliseconds)),
    );
    const left = answers.filter((_, at) => asked[at]?.isOpen());
    for (const answer of left) if (answer.status === 'rejected') throw answer.reason;
    return left.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  };

  const prepareAll = async (): Promise<string> => {
    const [version, ...others] = await askAll(requests.prepare);
    if (version === undefined) throw new Error('No worker serves yet');
    if (others.some((other) => other !== version)) {
      throw new Error('The documents were changed while they were read; reload them again');
    }
    return String(version);
  };

  return {
    add: (worker) =>
      worker.handle(requests.admit, (version) => inTurn(() => admit(worker, String(version)))),
    reload: () =>
      inTurn(async () => {
        try {
          served = await prepareAll();
        } catch (error) {
          await askAll(requests.forget);
          throw error;
        }
        await askAll(requests.serve);
        return served;
      }),
  };
};
