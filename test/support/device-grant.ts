/** A device that asks for access by the device authorization grant (RFC 8628), and documents that declare it. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { knexClients } from '../../src/storage/identity/clients';
import type { Answered } from './ask';
import { type DocumentEdit, editDocument } from './edit-document';
import type { Services } from './services';

const scheme = ['components', 'securitySchemes', 'petstore_auth'];

/** Makes a folder of the documents of this repository, in which the pet store declares the grant; it is gone after the tests of the file. */
export const deviceSpecs = (edits: readonly DocumentEdit[] = []): string => {
  const specs = mkdtempSync(join(tmpdir(), 'specs-'));
  afterAll(() => rmSync(specs, { recursive: true }));
  cpSync('specs', specs, { recursive: true });
  const file = join(specs, 'petstore.yaml');
  const flow = {
    deviceAuthorizationUrl: '{auth_url}/oauth/device_authorization',
    tokenUrl: '{auth_url}/oauth/token',
    scopes: { 'write:pets': 'modify pets in your account', 'read:pets': 'read your pets' },
  };
  const all = [
    { at: ['openapi'], to: '3.2.0' },
    { at: [...scheme, 'flows', 'deviceAuthorization'], to: flow },
    { at: [...scheme, 'oauth2MetadataUrl'], to: '{auth_url}/.well-known/oauth' },
    ...edits,
  ];
  writeFileSync(file, editDocument(readFileSync(file, 'utf8'), all));
  return specs;
};

/** The parameters of a form; one that is undefined is left out. */
export type Form = Readonly<Record<string, string | undefined>>;

/** The client of a device; it has no redirect URI. */
export const television = {
  clientId: 'tv',
  name: 'Anna & <b>Bert</b>’s TV',
  redirectUris: [],
  flows: ['device'],
} as const;

/** The answer to a device that asks for access. */
export interface DeviceAnswer {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
}

/** Makes the requests of a device. */
export const deviceOf = (services: () => Services) => {
  const post = (path: string, fields: Form): Promise<Answered> => {
    const given = Object.entries(fields).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return services().ask(`POST /petstore/oauth/${path}`, {
      type: 'application/x-www-form-urlencoded',
      body: new URLSearchParams(given).toString(),
    });
  };
  const begin = (change: Form = {}): Promise<Answered> =>
    post('device_authorization', { client_id: 'tv', scope: 'read:pets', ...change });
  return {
    post,
    begin,
    register: () => knexClients(services().db, 'petstore').add(television),
    newCodes: async (change?: Form): Promise<DeviceAnswer> =>
      JSON.parse((await begin(change)).text),
    poll: (device_code: string, change: Form = {}): Promise<Answered> =>
      post('token', {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: 'tv',
        device_code,
        ...change,
      }),
  };
};
