/** Which branches and functions ran, by the counters that istanbul-lib-instrument has put into the code. */

/** As Istanbul counts in one file: branches have a counter for each way. */
interface FileCounters {
  readonly path: string;
  readonly b: Readonly<Record<string, number[]>>;
  readonly f: Record<string, number>;
}

/** A counter: `counts[key]`. */
interface Slot {
  readonly counts: Record<number, number>;
  readonly key: number;
}

/** What a search has reached. */
export interface Coverage {
  /** Forgets what ran before. */
  reset(): void;
  /** Says whether something ran since the last `reset` that never had, or never so often; resets. */
  hasGrown(): boolean;
  /** Branches and functions: those that ran, and all of the files that are loaded. */
  totals(): { readonly reached: number; readonly all: number };
}

const isCounters = (value: unknown): value is FileCounters =>
  typeof value === 'object' && value !== null && 'b' in value && 'f' in value;

const slotsOf = ({ b, f }: FileCounters): Slot[] => [
  ...Object.values(b).flatMap((counts) => counts.map((_count, key) => ({ counts, key }))),
  ...Object.keys(f).map((key) => ({ counts: f, key: Number(key) })),
];

/** Once, twice, a few times, many times: as a bit. */
const magnitude = (count: number): number => 1 << Math.min(7, 31 - Math.clz32(count));

/**
 * Watches the files of some folders.
 * @param countsMatter whether running more often is new, too
 */
export const watchCoverage = (folders: readonly string[], countsMatter: boolean): Coverage => {
  const known = new Set<string>();
  const slots: Slot[] = [];
  const seen: number[] = [];
  const isWatched = ({ path }: FileCounters): boolean =>
    !known.has(path) && folders.some((folder) => path.includes(`/${folder}/`));
  /** Modules may be loaded at their first use. */
  const findFiles = (): void => {
    const all: object = Reflect.get(globalThis, '__coverage__') ?? {};
    for (const file of Object.values(all).filter(isCounters).filter(isWatched)) {
      known.add(file.path);
      slots.push(...slotsOf(file));
    }
  };
  const take = (index: number, { counts, key }: Slot): boolean => {
    const count = counts[key] ?? 0;
    if (count === 0) return false;
    counts[key] = 0;
    const before = seen[index] ?? 0;
    seen[index] = before | (countsMatter ? magnitude(count) : 1);
    return seen[index] !== before;
  };
  let looks = 0;
  return {
    reset() {
      findFiles();
      for (const { counts, key } of slots) counts[key] = 0;
    },
    hasGrown() {
      if (looks % 1024 === 0) findFiles();
      looks += 1;
      let grown = false;
      for (let index = 0; index < slots.length; index += 1) {
        const slot = slots[index];
        if (slot !== undefined && take(index, slot)) grown = true;
      }
      return grown;
    },
    totals: () => ({ reached: seen.filter((bits) => bits > 0).length, all: slots.length }),
  };
};
