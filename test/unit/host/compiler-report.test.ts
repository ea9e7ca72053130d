/** Errors of the compiler in handlers: what has one cause is told once. */

import { expect, test } from '@jest/globals';
import { parseApiDocument } from '../../../src/engine';
import { compilerLines } from '../../../src/host/compiler-report';

const document = parseApiDocument(
  'specs/booking.yaml',
  `
openapi: 3.0.3
info: { title: Booking, version: '1' }
paths:
  /bookings: { get: { operationId: listBookings, responses: { '200': { description: OK } } } }
components: { schemas: { Booking: { type: object, properties: { guest: { type: string } } } } }
`,
);

const linesOf = (file: string, texts: readonly string[]): readonly string[] => {
  const errors = texts.map((text, at) => ({ file, line: at + 1, column: 5, text }));
  return compilerLines(errors, [document], []).slice(1);
};

const handlers = 'handlers/booking/booking.ts';
const demo = 'handlers/booking/demo.ts';
const missing = (item: string): string =>
  `TS2741: Property 'guest' is missing in type '${item}' but required in type 'Booking'.`;

test.each<[string, string, readonly string[], readonly string[]]>([
  [
    'values that a wrong name would have typed',
    handlers,
    [
      `TS2305: Module '"./types"' has no exported member 'BookngOperations'.`,
      "TS7031: Binding element 'path' implicitly has an 'any' type.",
      "TS7006: Parameter 'one' implicitly has an 'any' type.",
    ],
    [
      `  ${handlers}:1:5 error TS2305: Module '"./types"' has no exported member 'BookngOperations'.`,
    ],
  ],
  [
    'values without a type, where all names are there',
    handlers,
    ["TS7006: Parameter 'one' implicitly has an 'any' type."],
    [`  ${handlers}:1:5 error TS7006: Parameter 'one' implicitly has an 'any' type.`],
  ],
  [
    'another fault beside a wrong name',
    handlers,
    ["TS2304: Cannot find name 'Bookng'.", "TS2322: Type 'number' is not assignable to 'string'."],
    [
      `  ${handlers}:1:5 error TS2304: Cannot find name 'Bookng'.`,
      `  ${handlers}:2:5 error TS2322: Type 'number' is not assignable to 'string'.`,
    ],
  ],
  [
    'items that lack the same',
    demo,
    [
      missing('{ id: bigint; room: "a"; }'),
      missing('{ id: bigint; room: "b"; rooms: { size: number; }; }'),
      missing('{}'),
    ],
    [`  ${demo}:1:5 error ${missing('{ id: bigint; room: "a"; }')} (and in line 2, 3)`],
  ],
])('%s', (_title, file, texts, lines) => {
  expect(linesOf(file, texts)).toEqual(lines);
});
