/** The requests that the scenarios are made of. */

import type { Credentials } from '../data/pets';
import type { Request } from '../load/request';

type Headers = Readonly<Record<string, string>>;

export const jsonType = 'application/json';
export const xmlType = 'application/xml';
export const formType = 'application/x-www-form-urlencoded';

export const byKey = ({ apiKey }: Credentials): Headers => ({ api_key: apiKey });
export const byToken = ({ petsToken }: Credentials): Headers => ({
  Authorization: `Bearer ${petsToken}`,
});
export const byAdsToken = ({ adsToken }: Credentials): Headers => ({
  Authorization: `Bearer ${adsToken}`,
});

/** Reads what is at the path. */
export const get = (path: string, credentials: Headers = {}, accept = jsonType): Request => ({
  method: 'GET',
  path,
  headers: { ...credentials, Accept: accept },
});

/** Sends a body and takes the response in JSON unless it is said otherwise. */
export const write = (
  method: 'POST' | 'PUT',
  path: string,
  [mediaType, body]: readonly [string, string],
  credentials: Headers = {},
  accept = jsonType,
): Request => ({
  method,
  path,
  headers: { ...credentials, Accept: accept, 'Content-Type': mediaType },
  body,
});

/** A body of JSON. */
export const json = (value: unknown): readonly [string, string] => [
  jsonType,
  JSON.stringify(value),
];

export const petPath = (id: number | '' = ''): string =>
  `/petstore/pet${id === '' ? '' : `/${id}`}`;
export const orderPath = (id: number | '' = ''): string =>
  `/petstore/store/order${id === '' ? '' : `/${id}`}`;
