/** The OpenAPI documents as the peers can load them: the same, but for what other libraries stop at. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { specs } from './settings';

/** A document, loosely. */
export interface Definition {
  readonly openapi: string;
  readonly components: { readonly schemas: Record<string, unknown> };
}

const read = (name: string): Definition => {
  const text = readFileSync(join(specs, `${name}.yaml`), 'utf8');
  return parse(text.replaceAll('{auth_url}', 'https://auth.example.com'));
};

export const petstoreDefinition = (): Definition => read('petstore');

/** Without the schema whose reference dangles: no other library loads it, and no operation uses it. */
export const adsDefinition = (): Definition => {
  const definition = read('ads');
  delete definition.components.schemas['Pet'];
  return definition;
};
