/** Contracts that were changed, and what is stored under them: nothing is kept that could not be answered. */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parseDocument } from 'yaml';
import { type Services, startServices } from '../support/services';
import { tablesOf } from '../support/tables';
import { useTemporaryFolder } from '../support/temporary-folder';

const folder = useTemporaryFolder();

let services: Services | undefined;
afterEach(async () => {
  await services?.stop();
  services = undefined;
});

/** A change of one place of petstore.yaml. */
type Edit = readonly [at: readonly (string | number)[], to: unknown];

/** Serves the documents with changes in them. */
const startWith = async (
  edits: readonly Edit[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Services> => {
  cpSync('specs', folder('specs'), { recursive: true });
  const file = folder('specs', 'petstore.yaml');
  const document = parseDocument(readFileSync(file, 'utf8'));
  for (const [at, to] of edits) document.setIn(at, document.createNode(to));
  writeFileSync(file, String(document));
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

const schemas = ['components', 'schemas'];
const newPet = { name: 'Ida', photoUrls: [] };
const users = [{ username: 'ada', userStatus: 1 }, { username: 'ben' }];

describe('where responses are checked, nothing is stored that they may not carry', () => {
  const statusOf = (schema: string): readonly (string | number)[] => [
    ...[...schemas, schema, 'properties'],
    schema === 'User' ? 'userStatus' : 'status',
  ];
  /** Answers need a status, and requests give none. */
  const requiringStatus = (schema: string, type = 'string'): readonly Edit[] => [
    [statusOf(schema), { type, readOnly: true }],
    [[...schemas, schema, 'required'], [statusOf(schema).at(-1)]],
  ];
  const userStatus = requiringStatus('User', 'integer');
  const responseOf = (method: string, at: readonly string[], to: unknown): readonly Edit[] => [
    [['paths', '/pet', method, 'responses', '200', ...at], to],
  ];
  const cases: readonly [string, string, readonly Edit[], unknown][] = [
    [
      'a status that only the parameter has',
      'POST /petstore/pet/1?status=sold',
      [
        [
          [...statusOf('Pet'), 'enum'],
          ['available', 'pending'],
        ],
      ],
      undefined,
    ],
    [
      'a name that is too long for the schema',
      'POST /petstore/pet/1?name=Bellissima',
      [[[...schemas, 'Pet', 'properties', 'name', 'maxLength'], 6]],
      undefined,
    ],
    [
      'a photo too many',
      'POST /petstore/pet/1/uploadImage',
      [[[...schemas, 'Pet', 'properties', 'photoUrls', 'maxItems'], 0]],
      'the bytes of an image',
    ],
    ['a new pet', 'POST /petstore/pet', requiringStatus('Pet'), newPet],
    ['a changed pet', 'PUT /petstore/pet', requiringStatus('Pet'), { id: 1, ...newPet }],
    ['an order', 'POST /petstore/store/order', requiringStatus('Order'), { petId: 1 }],
    ['a user', 'POST /petstore/user', userStatus, { username: 'ida' }],
    ['one user of a list', 'POST /petstore/user/createWithList', userStatus, users],
    ['a changed user', 'PUT /petstore/user/demo', userStatus, { phone: '1' }],
  ];
  const ofResponses: typeof cases = [
    [
      'what is longer than the response allows, though not than the schema',
      'PUT /petstore/pet',
      responseOf('put', ['content', 'application/json', 'schema'], {
        allOf: [
          { $ref: '#/components/schemas/Pet' },
          { properties: { name: { type: 'string', maxLength: 2 } } },
        ],
      }),
      { id: 1, ...newPet },
    ],
    [
      'a response without a header that it must have',
      'POST /petstore/pet',
      responseOf('post', ['headers'], {
        'X-Count': { required: true, schema: { type: 'integer' } },
      }),
      newPet,
    ],
    [
      'a response of another status than is declared',
      'POST /petstore/pet',
      [[['paths', '/pet', 'post', 'responses'], { 201: { description: 'made' } }]],
      newPet,
    ],
  ];

  const send = async ({ ask, petToken, login }: Services, request: string, body: unknown) => {
    const token = request.includes('/user') ? login.petstore : petToken;
    const type = typeof body === 'string' ? 'application/octet-stream' : undefined;
    return ask(request, { token, body, ...(type && { type }) });
  };

  test.each(cases)('%s', async (_, request, edits, body) => {
    const served = await startWith(edits);
    const before = await storedRows(served);
    expect((await send(served, request, body)).status).toBe(500);
    expect(await storedRows(served)).toEqual(before);
  });

  test.each(ofResponses)('what was changed stays with %s', async (_, request, edits, body) => {
    const served = await startWith(edits);
    const before = await storedRows(served);
    expect((await send(served, request, body)).status).toBe(500);
    expect(await storedRows(served)).not.toEqual(before);
  });

  test('where they are not, it is', async () => {
    const served = await startWith(
      cases.flatMap(([, , edits]) => edits),
      { VALIDATE_RESPONSES: 'false', DEMO_DATA: 'true' },
    );
    for (const [, request, , body] of cases) {
      expect([request, (await send(served, request, body)).status]).toEqual([request, 200]);
    }
  });

  test('of the demo data, what does not fit is left out, and the rest keeps its ids', async () => {
    const served = await startWith([
      [
        [...statusOf('Pet'), 'enum'],
        ['available', 'sold'],
      ],
    ]);
    const { text } = await served.ask('GET /petstore/pet/findByStatus?status=sold', {
      token: served.petToken,
    });
    expect(JSON.parse(text)).toMatchObject([{ id: 5 }, { id: 8 }]);
    const status = async (id: number) =>
      (await served.ask(`GET /petstore/pet/${id}`, { token: served.petToken })).status;
    expect([await status(3), await status(4)]).toEqual([404, 200]);
  });
});
