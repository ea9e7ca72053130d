/** Holds the list of packages in SECURITY.md to what is installed. */

/** The properties used here of a package-lock.json. */
export interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly dependencies?: Readonly<Record<string, string>>;
        readonly optionalDependencies?: Readonly<Record<string, string>>;
      }
    >
  >;
}

/** A list of packages, and when advisories were looked up for them. */
export interface PackageList {
  /** `2026-11-24`; undefined where it is not said. */
  readonly lastLook: string | undefined;
  /** By the names of the packages. */
  readonly versions: ReadonlyMap<string, string>;
}

/** Reads the section `Packages`: a sentence with the date, and a table with the name and the version first. */
export const readPackageList = (markdown: string): PackageList => {
  const section = /^## Packages$([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(markdown)?.[1] ?? '';
  const rows = section.matchAll(/^\| ([^|\s]+) \| (\d[^|\s]*) \|/gm);
  return {
    lastLook: /^Last look: (\d{4}-\d\d-\d\d)\b/m.exec(section)?.[1],
    versions: new Map([...rows].map(([, name = '', version = '']) => [name, version])),
  };
};

/** Gives the direct dependencies, the optional ones too, and the versions that are installed. */
export const installedPackages = ({ packages }: Lock): ReadonlyMap<string, string> => {
  const { dependencies, optionalDependencies } = packages[''] ?? {};
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  return new Map(names.map((name) => [name, packages[`node_modules/${name}`]?.version ?? '']));
};

/** Reports the differences of the list from the packages that are installed; one sentence for each. */
export const listProblems = (
  { lastLook, versions }: PackageList,
  installed: ReadonlyMap<string, string>,
): readonly string[] => [
  ...(lastLook === undefined ? ['the list does not say when the last look was'] : []),
  ...[...installed]
    .filter(([name, version]) => versions.get(name) !== version)
    .map(([name, version]) =>
      versions.has(name)
        ? `${name} ${version} is installed, the list has ${versions.get(name)}`
        : `${name} ${version} is not in the list`,
    ),
  ...[...versions.keys()]
    .filter((name) => !installed.has(name))
    .map((name) => `${name} is in the list, and no direct dependency`),
];
