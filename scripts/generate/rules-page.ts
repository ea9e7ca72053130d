/** The page of the comparison's rules: its tables are written from the rules, all else by hand. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diffRuleSections } from '../../src/contract';
import { rootFolder } from '../root-folder';

/** The page's file, in the project's own folder. */
export const rulesFile = 'src/contract/diff/rules.md';

/** Gives the page as it should be; undefined where it is. */
export const staleRulesPage = (): string | undefined => {
  const present = readFileSync(join(rootFolder, rulesFile), 'utf8');
  let wanted = present;
  for (const [title, rules] of Object.entries(diffRuleSections)) {
    const rows = Object.entries(rules).map(
      ([id, { request, response, sentence }]) =>
        `| ${id} | ${request} | ${response} | ${sentence} |\n`,
    );
    const table = new RegExp(`(## ${title}\n\n(?:\\|.*\n){2})(?:\\|.*\n)*`);
    wanted = wanted.replace(table, (_table, head: string) => head + rows.join(''));
  }
  return wanted === present ? undefined : wanted;
};
