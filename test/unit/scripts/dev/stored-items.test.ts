/** What an edit of a document does to stored items is told, with a migration that was tried. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { type StoringService, storedItemLines } from '../../../../scripts/dev/stored-items';
import { parseApiDocument, schemaContext } from '../../../../src/engine';
import { itemSchemas } from '../../../../src/host/item-schemas';
import { collectionOf, fileSettings, openFilledStorage } from '../../../support/open-storage';
import { useTemporaryDatabase } from '../../storage/temporary-database';

const temporary = useTemporaryDatabase();

const collections = { bookings: { schema: 'Booking' }, notes: { schema: 'Note' } };

const serviceOf = (name: string, required: string, properties: string): StoringService => {
  const document = parseApiDocument(
    `specs/${name}.yaml`,
    `
openapi: 3.0.3
info: { title: Booking, version: '1' }
paths: {}
components:
  schemas:
    Booking:
      type: object
      required: [${required}]
      properties: { id: { type: integer, format: int64 }, ${properties} }
    Note: { type: object, properties: { text: { type: string } } }
`,
  );
  const schemaOf = itemSchemas(document, schemaContext(document));
  return { document, schemaOf, modules: { collections, accounts: undefined } };
};

const former = 'guestName: { type: string, maxLength: 9 }, nights: { type: integer }';

/** Stores bookings of a service, one of them without a name. */
const store = async (service: string, count: number): Promise<void> => {
  const { schemaOf } = serviceOf(service, '', former);
  const storage = await openFilledStorage(temporary.db, {
    ...{ service, collections, accounts: undefined, files: fileSettings },
    schemaOf: (declaration) => schemaOf(declaration),
  });
  const bookings = collectionOf<object>(storage, 'bookings');
  await bookings.insert({ nights: 1 });
  for (let at = 1; at < count; at += 1) await bookings.insert({ guestName: 'Ada', nights: at });
};

describe('an edit under stored items', () => {
  beforeAll(() => store('booking', 4));

  const command =
    '  npm run admin -- data migrate --service booking --collection bookings --rename';

  test.each<[string, string, string, readonly string[]]>([
    ['nothing of them', 'nights', `${former}, note: { type: string }`, []],
    [
      'a limit',
      '',
      former.replace('integer', 'integer, maximum: 2'),
      [
        'booking: 1 of 4 stored items of bookings no longer fit (/nights must be at most 2)',
        '  Change them: npm run admin -- data migrate --service booking --with FILE (handlers/collections.md#migrate-data)',
      ],
    ],
    [
      'a new property that is required',
      'note',
      `${former}, note: { type: string }`,
      [
        'booking: 4 of 4 stored items of bookings no longer fit (/note must have the property "note")',
        '  Declare a `default` for what is missing, or change them: npm run admin -- data migrate --service booking --with FILE (handlers/collections.md#migrate-data)',
      ],
    ],
    [
      'a new name that is required',
      'guest',
      former.replace('guestName', 'guest'),
      [
        'booking: 4 of 4 stored items of bookings no longer fit (/guest must have the property "guest")',
        '  tried: guestName renamed to guest in 3 of 4; all of them fit then:',
        `${command} guestName=guest`,
      ],
    ],
    [
      'a new name beside another new property',
      '',
      `note: { type: string }, ${former.replace('guestName: {', 'guest: { description: Who,')}`,
      [
        '  tried: guestName renamed to guest in 3 of 4; all of them fit then:',
        `${command} guestName=guest`,
      ],
    ],
    ['a name of another schema', '', former.replace('guestName', 'guest').replace('9', '8'), []],
    [
      'two new names of the same schema',
      '',
      `${former.replace('guestName', 'guest')}, host: { type: string, maxLength: 9 }`,
      [],
    ],
  ])('%s', async (_, required, properties, lines) => {
    const past = serviceOf('booking', '', former);
    const now = serviceOf('booking', required, properties);
    expect(await storedItemLines([past], [now], temporary.db)).toEqual(lines);
  });
});

test('of many, the first thousand are looked at', async () => {
  await store('large', 1100);
  const past = serviceOf('large', '', former);
  const now = serviceOf('large', '', former.replace('integer', 'integer, minimum: 2'));
  expect(await storedItemLines([past], [now], temporary.db)).toEqual([
    'large: 2 of the first 1000 stored items of bookings no longer fit (/nights must be at least 2)',
    '  Change them: npm run admin -- data migrate --service large --with FILE (handlers/collections.md#migrate-data)',
  ]);
});
