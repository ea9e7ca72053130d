/** The techniques that `--ablation` switches off, one at a time. */

/** A technique; the program of that name in `ablations` replaces it. */
export interface Technique {
  readonly name: string;
  readonly title: string;
}

const all: readonly Technique[] = [
  { name: 'serve-together', title: 'what arrives together is served together' },
  { name: 'read-cache', title: 'what was read is remembered' },
  { name: 'changed-tables', title: 'and only until its own tables change' },
  { name: 'prepared-statements', title: 'statements stay prepared' },
  { name: 'cache-and-prepared', title: 'remembered and prepared' },
  { name: 'composed-statements', title: 'SQL is composed at start' },
  { name: 'group-commit', title: 'changes share transactions' },
  { name: 'wal-sync', title: 'syncing off the event loop' },
  { name: 'booked-calls', title: 'calls are booked in advance' },
  { name: 'joined-rows', title: 'texts of a page are joined by the database' },
  { name: 'kept-texts', title: 'stored texts are sent unread' },
  { name: 'route-table', title: 'operations are found by our table' },
];

/** Those of the names, or all where there is none. */
export const techniquesNamed = (names: readonly string[]): readonly Technique[] => {
  const unknown = names.find((name) => !all.some((technique) => technique.name === name));
  if (unknown !== undefined) {
    const known = all.map(({ name }) => name).join(', ');
    throw new Error(`No technique is called ${unknown}; there are ${known}`);
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
};
