/** A folder of documents in which the pet store has as many operations as are wanted. */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from '../../../root-folder';

/** Another operation, which has no handler. */
const operation = (number: number): string => `
  /extra-${number}/{extraId}:
    get:
      tags: [pet]
      operationId: getExtra${number}
      parameters:
        - { name: extraId, in: path, required: true, schema: { type: integer, format: int64 } }
        - { name: size, in: query, schema: { type: integer, maximum: ${number} } }
      responses:
        '200':
          description: Number ${number}
          content:
            application/json: { schema: { $ref: '#/components/schemas/Pet' } }
`;

/** Adds operations to the text of a document until it has that many. */
export const withOperations = (document: string, wanted: number): string => {
  const present = document.match(/^ +operationId:/gm)?.length ?? 0;
  const added = Array.from({ length: Math.max(0, wanted - present) }, (_, index) =>
    operation(index + 1),
  );
  return document.replace(/^paths:\n/m, `paths:\n${added.join('')}`);
};

/** Copies the documents into the folder, the pet store with that many operations. */
export const writeDocuments = (folder: string, operations: number): void => {
  const specs = join(rootFolder, 'specs');
  cpSync(specs, folder, { recursive: true });
  const petstore = readFileSync(join(specs, 'petstore.yaml'), 'utf8');
  writeFileSync(join(folder, 'petstore.yaml'), withOperations(petstore, operations));
};
