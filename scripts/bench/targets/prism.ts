/** The mock server Prism: it checks requests, stores nothing, and responds with the document's examples. */

import { join } from 'node:path';
import { rootFolder } from '../../root-folder';
import { peerCredentials } from '../data/pets';
import { benchFolder } from '../machine/places';
import type { Contestant } from './contestant';
import { launch } from './launch';

const program = join(benchFolder, 'node_modules/@stoplight/prism-cli/dist/index.js');
const withoutBase = (path: string): string => path.replace(/^\/petstore/, '');

export const prism: Contestant = {
  id: 'prism',
  title: 'Prism mock (no database)',
  kind: 'peer',
  cannot: {
    ads: 'serves one document',
    database: 'takes any API key',
    'not-found': 'knows no pets',
    'long-list': 'lists a pet or two, however many are asked for',
    'xml-body': 'does not read bodies in XML (responds 422)',
    form: 'does not read this form (responds 422)',
    refusal: 'responds 422 where the contract says 405',
  },
  checks: 'status',
  prepare: async () => ({
    start: (core) =>
      launch({
        args: (port) => [
          ...[program, 'mock', join(rootFolder, 'specs/petstore.yaml')],
          ...['--port', String(port), '--host', '127.0.0.1'],
        ],
        environment: () => ({}),
        folder: rootFolder,
        core,
        credentials: peerCredentials,
        pathOf: withoutBase,
      }),
  }),
};
