/** Contracts that were changed, and what is stored under them: nothing is kept that could not be answered. */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { editDocument, stepsOf } from '../support/edit-document';
import { type Services, startServices } from '../support/services';
import { tablesOf } from '../support/tables';
import { useTemporaryFolder } from '../support/temporary-folder';

const folder = useTemporaryFolder();

let services: Services | undefined;
afterEach(async () => {
  await services?.stop();
  services = undefined;
});

/** A request to a changed document; the file of the cases says more. */
interface Case {
  readonly title: string;
  readonly request: string;
  /** JSON Pointers, and what stands there then. */
  readonly edits: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly stores?: boolean;
}

const cases: readonly Case[] = parse(
  readFileSync(join(__dirname, 'changed-contracts.cases.yaml'), 'utf8'),
);

/** Serves the documents with changes in petstore.yaml. */
const startWith = async (
  edits: Case['edits'],
  environment: Readonly<Record<string, string>> = {},
): Promise<Services> => {
  cpSync('specs', folder('specs'), { recursive: true });
  const file = folder('specs', 'petstore.yaml');
  const places = Object.entries(edits).map(([at, to]) => ({ at: stepsOf(at), to }));
  writeFileSync(file, editDocument(readFileSync(file, 'utf8'), places));
  services = await startServices({ SPECS_DIRECTORY: folder('specs'), ...environment });
  return services;
};

/** Every row of what services store; ids that were taken for nothing are no loss. */
const storedRows = async ({ db }: Services): Promise<readonly unknown[]> => {
  const tables = (await tablesOf(db)).filter((table) =>
    ['items', 'item_files', 'item_index', 'value_counts', 'users'].includes(table),
  );
  return Promise.all(tables.sort().map((table) => db.knex(table).select('*')));
};

describe('where responses are checked, nothing is stored that they may not carry', () => {
  const send = async ({ ask, petToken, login }: Services, request: string, body: unknown) => {
    const token = request.includes('/user') ? login.petstore : petToken;
    const type = typeof body === 'string' ? 'application/octet-stream' : undefined;
    return ask(request, { token, body, ...(type && { type }) });
  };

  test.each(cases)('$title', async ({ request, edits, body, stores = false }) => {
    const served = await startWith(edits);
    const before = await storedRows(served);
    expect((await send(served, request, body)).status).toBe(500);
    const isChanged = !isDeepStrictEqual(await storedRows(served), before);
    expect(isChanged).toBe(stores);
  });

  test('where they are not, it is', async () => {
    const stored = cases.filter(({ stores }) => !stores);
    const served = await startWith(Object.assign({}, ...stored.map(({ edits }) => edits)), {
      VALIDATE_RESPONSES: 'false',
      DEMO_DATA: 'true',
    });
    for (const { request, body } of stored) {
      expect([request, (await send(served, request, body)).status]).toEqual([request, 200]);
    }
  });

  test('of the demo data, what does not fit is left out, and the rest keeps its ids', async () => {
    const served = await startWith({
      '/components/schemas/Pet/properties/status/enum': ['available', 'sold'],
    });
    const { text } = await served.ask('GET /petstore/pet/findByStatus?status=sold', {
      token: served.petToken,
    });
    expect(JSON.parse(text)).toMatchObject([{ id: 5 }, { id: 8 }]);
    const status = async (id: number) =>
      (await served.ask(`GET /petstore/pet/${id}`, { token: served.petToken })).status;
    expect([await status(3), await status(4)]).toEqual([404, 200]);
  });
});
