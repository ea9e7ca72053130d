/** The database of the fastify peer, with resources as values that fastify checks and serializes; and the documents for it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Pet } from './checks';
import { openStore, setting } from './open-store';
import { bearerToken, digest, type FoundList, type Row } from './store';

/** A resource as JSON knows it. */
export type Resource = Record<string, unknown> & { readonly id?: number };

/** The headers that carry credentials. */
export interface Headers {
  readonly authorization?: string | undefined;
  readonly api_key?: string | string[] | undefined;
}

const resourceOf = (row: Row | undefined): Resource | undefined =>
  row && { id: row.id, ...JSON.parse(row.document) };

const listOf = (found: FoundList | undefined): Resource[] => JSON.parse(found?.list ?? '[]');

const tokenHash = ({ authorization }: Headers): string => digest(bearerToken(authorization) ?? '');
const keyHash = ({ api_key: key }: Headers): string => digest(String(key ?? ''));

/** Opens the database. */
export const openResources = async () => {
  const store = await openStore();
  return {
    knowsKey: (headers: Headers) => store.knowsKey(keyHash(headers)),
    /** Returns the user of the token; undefined where it is not good, or lacks one of the scopes. */
    async userOf(headers: Headers, scopes: readonly string[]): Promise<string | undefined> {
      const found = await store.token(tokenHash(headers), Date.now());
      const granted = found?.scopes.split(' ') ?? [];
      return scopes.every((scope) => granted.includes(scope)) ? found?.user : undefined;
    },
    findPet: async (id: number) => resourceOf(await store.pet(id)),
    petsByStatus: async (status: string, headers: Headers) =>
      listOf(await store.byStatus([status], tokenHash(headers), Date.now())),
    petsByTags: async (tags: readonly string[], headers: Headers) =>
      listOf(await store.byTags(tags, tokenHash(headers), Date.now())),
    async inventory(headers: Headers): Promise<Record<string, number>> {
      const rows = await store.inventory(keyHash(headers));
      const counts = rows.map(({ status, count }) => [status, count] as const);
      return { available: 0, pending: 0, sold: 0, ...Object.fromEntries(counts) };
    },
    async addPet({ id, ...rest }: Resource): Promise<Resource | undefined> {
      const pet = { id, ...rest } as unknown as Pet;
      const given = await store.addPet(pet, JSON.stringify(rest));
      return given === undefined ? undefined : { id: given, ...rest };
    },
    async updatePet({ id = 0, ...rest }: Resource): Promise<Resource | undefined> {
      const isThere = await store.replacePet(id, rest as unknown as Pet, JSON.stringify(rest));
      return isThere ? { id, ...rest } : undefined;
    },
    findOrder: async (id: number) => resourceOf(await store.order(id)),
    async addOrder({ id, ...rest }: Resource): Promise<Resource | undefined> {
      const given = await store.addOrder(id, JSON.stringify(rest));
      return given === undefined ? undefined : { id: given, ...rest };
    },
    async addAd(ad: Resource, author: string): Promise<Resource> {
      await store.addAd(author, JSON.stringify(ad));
      return ad;
    },
  };
};

/** An OpenAPI document, loosely typed. */
interface Definition {
  readonly openapi: string;
  readonly components: { readonly schemas: Record<string, unknown> };
}

/** Reads a document as the peers can load it: the same, but for what stops other libraries. */
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
