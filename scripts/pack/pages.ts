/** The pages of the package, with links that lead to each other alone: what else the repository has is not in the tarball. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { rootFolder } from '../root-folder';

/** The places of pages in the package, by their paths in the repository. */
const pages: Readonly<Record<string, string>> = {
  'scripts/pack/README.md': 'README.md',
  'scripts/pack/CHANGELOG.md': 'CHANGELOG.md',
  'src/contract/README.md': 'docs/contract.md',
  'src/contract/diff/rules.md': 'docs/rules.md',
  'src/engine/README.md': 'docs/engine.md',
  'src/engine/migrating/from-express-openapi-validator.md':
    'docs/from-express-openapi-validator.md',
  'src/engine/migrating/from-openapi-backend.md': 'docs/from-openapi-backend.md',
  'src/tool/README.md': 'docs/tool.md',
};

const relativeLinks = /\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)/g;

/** Writes the pages into the folder of the package; of a link to anything else its text remains. */
export const writePages = async (folder: string): Promise<void> => {
  await mkdir(join(folder, 'docs'), { recursive: true });
  for (const [source, target] of Object.entries(pages)) {
    const text = await readFile(join(rootFolder, source), 'utf8');
    const linked = text.replaceAll(relativeLinks, (_link, label, path, anchor = '') => {
      const page = pages[posix.join(posix.dirname(source), path)];
      if (page === undefined) return label;
      return `[${label}](${posix.relative(posix.dirname(target), page)}${anchor})`;
    });
    await writeFile(join(folder, target), linked);
  }
};
