/** Holds a release to its changelog: its version, its tag, its notes, and the repository that it is published from. */

interface Section {
  readonly heading: string;
  readonly text: string;
}

/** Returns the sections of a changelog, the newest first. */
const sectionsOf = (changelog: string): readonly Section[] =>
  changelog
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      return { heading: heading.trim(), text: lines.join('\n').trim() };
    });

const isVersion = (heading: string): boolean => /^\d+\.\d+\.\d+$/.test(heading);

/** Returns the version of the package: the newest that has a heading. */
export const versionOf = (changelog: string): string => {
  const section = sectionsOf(changelog).find(({ heading }) => isVersion(heading));
  if (section === undefined) throw new Error('CHANGELOG.md has no heading such as "## 1.0.0"');
  return section.heading;
};

/** A release that is asked for, and its place. */
export interface Release {
  /** Such as `v1.0.0`. */
  readonly tag: string;
  readonly changelog: string;
  /** `OWNER/REPO`, where package.json names one. */
  readonly repository: string | undefined;
  /** The repository whose workflow runs, where one does. */
  readonly runningIn: string | undefined;
}

/**
 * Returns the notes of a release: its section of the changelog, in which each entry is one line, as pages of releases break lines where
 * the text does.
 * @throws Error in one sentence where it may not be published
 */
export const releaseNotes = ({ tag, changelog, repository, runningIn }: Release): string => {
  const [newest = { heading: '', text: '' }] = sectionsOf(changelog);
  const refuse = (reason: string): never => {
    throw new Error(`${tag} cannot be released: ${reason}`);
  };
  if (!isVersion(newest.heading)) {
    return refuse(
      `CHANGELOG.md begins with "## ${newest.heading}"; write the version in its place`,
    );
  }
  if (tag !== `v${newest.heading}`) {
    return refuse(`CHANGELOG.md begins with version ${newest.heading}`);
  }
  if (newest.text === '') return refuse('CHANGELOG.md says nothing about it');
  if (repository === undefined) {
    return refuse(
      'package.json has no "repository": "github:OWNER/REPO", which npm holds to the place of the workflow',
    );
  }
  if (runningIn !== undefined && runningIn !== repository) {
    return refuse(`package.json names the repository ${repository}, and this is ${runningIn}`);
  }
  return `${newest.text.replaceAll(/\n {2,}(?![-*\s])/g, ' ')}\n`;
};
