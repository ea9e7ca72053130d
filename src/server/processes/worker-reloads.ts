/** Has all workers serve the same documents: they read them again together, decide alike, and either all serve them or none. */

import { inTurn } from '../../base/in-turn';
import type { ReloadResult } from '../../host/reload-result';
import type { Channel } from './ipc';

/** The requests of a worker to the primary, and of the primary to a worker. */
const requests = {
  /** Ask whether documents of this version may be served beside those of the other workers. */
  admit: 'admit documents',
  /** Read the documents and build the next application; the response is a ReloadResult. */
  prepare: 'prepare documents',
  /** Serve the prepared application. */
  serve: 'serve documents',
  /** Drop the prepared application. */
  forget: 'forget documents',
} as const;

/** To read large documents keeps a worker from responding. */
const longestMilliseconds = 60_000;

/** Documents that were read, and are ready to be served in place of those that are. */
export interface PreparedDocuments {
  readonly result: ReloadResult;
  /** Lets them serve every request from now on. */
  serve(): void;
  /** Drops them: the metrics say that the reload failed. */
  forget(): void;
}

/**
 * Has a worker do what the primary says.
 *
 * @param prepare - reads the documents; called when the worker has been admitted
 * @returns what asks to be admitted with a version; it rejects where the other workers serve another one
 */
export const followReloads = (
  primary: Channel,
  prepare: () => Promise<PreparedDocuments>,
): ((version: string) => Promise<void>) => {
  let prepared: PreparedDocuments | undefined;
  primary.handle(requests.prepare, async () => {
    prepared = await prepare();
    return prepared.result;
  });
  for (const ending of ['serve', 'forget'] as const) {
    primary.handle(requests[ending], () => {
      prepared?.[ending]();
      prepared = undefined;
    });
  }
  return async (version) => {
    await primary.request(requests.admit, version, longestMilliseconds);
  };
};

/** Makes the reloads of all workers, as the primary leads them. */
export const leadReloads = () => {
  let admitted: readonly Channel[] = [];
  let served = '';
  /** Of reloads and admissions. */
  const runInTurn = inTurn();

  const running = (): readonly Channel[] => {
    admitted = admitted.filter((worker) => worker.isOpen());
    return admitted;
  };

  const admit = (worker: Channel, version: string): void => {
    if (running().length > 0 && version !== served) {
      throw new Error(
        `Worker not started: the files on disk (documents, handlers) differ from what the other workers serve (version ${served}). Reload the documents or restart the server, or put the files back.`,
      );
    }
    served = version;
    admitted = [...admitted, worker];
  };

  /** Asks all workers; resolves to the responses of those that are still there, when all have responded. */
  const askAll = async (name: string): Promise<readonly unknown[]> => {
    const asked = running();
    const answers = await Promise.allSettled(
      asked.map((worker) => worker.request(name, undefined, longestMilliseconds)),
    );
    const left = answers.filter((_, at) => asked[at]?.isOpen());
    for (const answer of left) if (answer.status === 'rejected') throw answer.reason;
    return left.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  };

  const prepareAll = async (): Promise<ReloadResult> => {
    const results = (await askAll(requests.prepare)) as ReloadResult[];
    const [version, ...others] = new Set(results.map((result) => result.version));
    if (version === undefined) throw new Error('No worker serves yet');
    if (others.length > 0) {
      throw new Error('The documents were changed while they were read; reload them again');
    }
    // A worker that was replaced may not know what there was to mend.
    const linesOf = (name: 'refused' | 'mended' | 'weakened'): string[] => [
      ...new Set(results.flatMap((result) => result[name])),
    ];
    return {
      version,
      refused: linesOf('refused'),
      mended: linesOf('mended'),
      weakened: linesOf('weakened'),
    };
  };

  return {
    /** Lets a worker be admitted. */
    add: (worker: Channel): void =>
      worker.handle(requests.admit, (version) => runInTurn(() => admit(worker, String(version)))),
    /**
     * Has all read the documents again.
     * @throws Error with the reason why all keep the previous documents
     */
    reload: (): Promise<ReloadResult> =>
      runInTurn(async () => {
        const result = await prepareAll().catch(async (error: unknown) => {
          await askAll(requests.forget);
          throw error;
        });
        served = result.version;
        await askAll(requests.serve);
        return result;
      }),
  };
};
