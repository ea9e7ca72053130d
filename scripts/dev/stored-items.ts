/** Says what becomes of stored items by an edit of their document: which no longer fit, and the command that changes them, or renames a property. */

import { writeJson } from '../../src/base/json/write-json';
import { valueAt } from '../../src/base/json-pointer';
import type { ApiDocument } from '../../src/engine';
import { declaredSchema } from '../../src/host/item-schemas';
import type { PreparedService } from '../../src/host/prepared-service';
import type { Schema } from '../../src/model/schema';
import { strictView } from '../../src/schema/schema-view';
import { UnusableSchema } from '../../src/storage/collections/item-schema';
import { itemMigration, renaming } from '../../src/storage/collections/migrate-items';
import {
  type CollectionDeclaration,
  findCollection,
} from '../../src/storage/collections/register-collections';
import {
  type StoredItems,
  storedItems,
  storedUsers,
} from '../../src/storage/collections/stored-items';
import type { Database } from '../../src/storage/database/database';

/** The parts of a service that the account needs. */
export type StoringService = Pick<PreparedService, 'document' | 'schemaOf'> & {
  readonly modules: Pick<PreparedService['modules'], 'collections' | 'accounts'>;
};

/** The items of a collection that are looked at, so that large ones do not hold up the next edit. */
const most = 1000;

/** The items of a declaration, as they are read before an edit and after it. */
interface EditedItems {
  readonly declaration: CollectionDeclaration;
  readonly past: StoringService;
  readonly now: StoringService;
  readonly before: StoredItems;
  readonly items: StoredItems;
}

/** Gives what is stored under a declaration, as a service reads it; undefined where it has no schema, or never stored. */
const storedUnder = async (
  db: Database,
  { document, schemaOf }: StoringService,
  name: string,
  declaration: CollectionDeclaration,
): Promise<StoredItems | undefined> => {
  try {
    const schema = schemaOf(declaration);
    const service = document.name;
    if (name === 'users') return storedUsers(db, service, schema);
    const key = await findCollection(db, service, name);
    return key === undefined ? undefined : storedItems(db, { service, name, key, ...schema });
  } catch (error) {
    // The handlers' report says so.
    if (error instanceof UnusableSchema) return undefined;
    throw error;
  }
};

/** The properties of a schema by name, with the texts of what they allow. */
const propertyTexts = (document: ApiDocument, declaration: CollectionDeclaration) => {
  const { parts } = strictView(declaredSchema(document, declaration));
  const withoutDescription = ({ pointer }: Schema): string => {
    const { description: _, title, ...rules } = Object(valueAt(document.definition, pointer));
    return writeJson(rules);
  };
  return new Map(
    parts.flatMap(({ properties = new Map<string, Schema>() }) =>
      [...properties].map(([name, schema]) => [name, withoutDescription(schema)] as const),
    ),
  );
};

/** Finds the property that went where another with the same rules came; undefined where that is not clear. */
const renamedProperty = ({ declaration, past, now }: EditedItems) => {
  const old = propertyTexts(past.document, declaration);
  const today = propertyTexts(now.document, declaration);
  const [gone, ...others] = [...old].filter(([name]) => !today.has(name));
  const [came, ...more] = [...today].filter(
    ([name, rules]) => !old.has(name) && rules === gone?.[1],
  );
  const isClear = gone && came && others.length === 0 && more.length === 0;
  return isClear ? ([gone[0], came[0]] as const) : undefined;
};

/** Counts the items that fit before the edit and do not now, and names the places. */
const unfitLines = async ({ before, items }: EditedItems): Promise<readonly string[]> => {
  const places = new Set<string>();
  let [seen, unfit] = [0, 0];
  for await (const { document } of items.after(null)) {
    seen += 1;
    const problems =
      before.codec.convert(document).problems.length === 0
        ? items.codec.convert(document).problems
        : [];
    unfit += Number(problems.length > 0);
    for (const { path, message } of problems) {
      places.add(`${path.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${message.replace(/, not .*$/s, '')}`);
    }
    if (seen === most) break;
  }
  if (unfit === 0) return [];
  const of = seen === most ? `the first ${most} stored items` : `${seen} stored items`;
  return [
    `${items.service}: ${unfit} of ${of} of ${items.name} no longer fit (${[...places].join('; ')})`,
  ];
};

/** Tries the renaming, and gives the command for it where it changes items. */
const renamingLines = async (db: Database, edited: EditedItems): Promise<readonly string[]> => {
  const { items } = edited;
  const { service, name } = items;
  const [from, to] = renamedProperty(edited) ?? [];
  if (from === undefined || to === undefined) return [];
  let [seen, changed, unfit] = [0, 0, 0];
  for await (const { isChanged, converted } of itemMigration(
    db,
    items,
    `try ${from}=${to}`,
    renaming(from, to),
  ).outcomes()) {
    seen += 1;
    changed += Number(isChanged);
    unfit += Number(isChanged && converted !== undefined && converted.problems.length > 0);
    if (seen === most) break;
  }
  if (changed === 0) return [];
  const outcome = unfit === 0 ? 'all of them fit then' : `${unfit} of them would not fit`;
  return [
    `  tried: ${from} renamed to ${to} in ${changed} of ${seen}; ${outcome}:`,
    `  npm run admin -- data migrate --service ${service} --collection ${name} --rename ${from}=${to}`,
  ];
};

/** Says what helps items that no longer fit, where nothing was renamed. */
const changingLine = (service: string, unfit: readonly string[]): string => {
  const isMissing = unfit.some((line) => line.includes(' must have the property '));
  const advice = isMissing
    ? 'Declare a `default` for what is missing, or change them'
    : 'Change them';
  return `  ${advice}: npm run admin -- data migrate --service ${service} --with FILE (handlers/collections.md#migrate-data)`;
};

/** Writes the lines about what services store whose documents have changed. */
export const storedItemLines = async (
  old: readonly StoringService[],
  services: readonly StoringService[],
  db: Database,
): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (const now of services) {
    const past = old.find(({ document }) => document.name === now.document.name);
    if (past === undefined || past.document.text === now.document.text) continue;
    const { collections, accounts } = now.modules;
    const declarations = { ...collections, ...(accounts && { users: accounts }) };
    for (const [name, declaration] of Object.entries(declarations)) {
      const before = await storedUnder(db, past, name, declaration);
      const items = await storedUnder(db, now, name, declaration);
      if (!before || !items || before.codec.format === items.codec.format) continue;
      const edited = { declaration, past, now, before, items };
      const unfit = await unfitLines(edited);
      const renamed = await renamingLines(db, edited);
      const isUnhelped = unfit.length > 0 && renamed.length === 0;
      lines.push(...unfit, ...(isUnhelped ? [changingLine(items.service, unfit)] : renamed));
    }
  }
  return lines;
};
