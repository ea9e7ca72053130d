/** `npm run site -- OUT` writes the Markdown pages of the project as a site; it fails where a link leads nowhere. */

import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { runMain, say } from '../machine/run-main';
import { run } from '../machine/run-program';
import { rootFolder } from '../root-folder';
import { makeSite } from './site';

/** Lists the files of the project, also those that are not committed yet, with those of the top first. */
const projectFiles = async (): Promise<readonly string[]> => {
  const options = ['--cached', '--others', '--exclude-standard', '--deduplicate'];
  const files = (await run(['git', 'ls-files', ...options], rootFolder)).split('\n');
  const rank = (file: string): number => (file === 'README.md' ? 0 : file.includes('/') ? 2 : 1);
  return files.toSorted((one, other) => rank(one) - rank(other));
};

runMain(async () => {
  const command = new Command('npm run site --').argument('<out>', 'the folder of the site');
  const out = resolve(command.parse().args[0] ?? '');
  const files = await projectFiles();
  const texts = new Map<string, string>();
  for (const file of files.filter((name) => name.endsWith('.md'))) {
    texts.set(file, await readFile(join(rootFolder, file), 'utf8'));
  }
  const { written, copied } = makeSite(texts, files);
  for (const [path, text] of written) {
    await mkdir(dirname(join(out, path)), { recursive: true });
    await writeFile(join(out, path), text);
  }
  for (const path of copied) await cp(join(rootFolder, path), join(out, path));
  await cp(join(__dirname, 'search.js'), join(out, 'search.js'));
  say(`${texts.size} pages, ${join(out, 'index.html')}`);
  return 0;
});
