/** The OpenAPI documents as the peers can load them: the same, but for what stops other libraries. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { setting } from './open-store';

/** A document, loosely typed. */
interface Definition {
  readonly openapi: string;
  readonly components: { readonly schemas: Record<string, unknown> };
}

const read = (name: string): Definition => {
  const text = readFileSync(join(setting('SPECS'), `${name}.yaml`), 'utf8');
  return parse(text.replaceAll('{auth_url}', 'https://auth.example.com'));
};

/** Returns the pet store's document. */
export const petstoreDefinition = (): Definition => read('petstore');

/** Returns the ads' document without the schema whose reference dangles: no other library loads it, and no operation uses it. */
export const adsDefinition = (): Definition => {
  const definition = read('ads');
  delete definition.components.schemas['Pet'];
  return definition;
};
