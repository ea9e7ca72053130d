/** Scenarios that read and write single pets. */

import type { HttpResponse } from '../load/request';
import { type BenchPet, newPet, storedPet } from '../pets';
import { expectSame, jsonOf, petOfXml, petXml } from './expect';
import {
  type Ask,
  byKey,
  byToken,
  formType,
  get,
  jsonBody,
  petPath,
  type Scenario,
  type Setting,
  type Step,
  scenarioOf,
  spread,
  write,
  xmlType,
} from './scenario';

/** The format of a body. */
type Format = 'json' | 'xml';

const readPet = async (response: HttpResponse, format: Format): Promise<unknown> =>
  format === 'xml' ? petOfXml(response) : jsonOf(response);

/** Reads one of the stored pets. */
export const readStep = (
  { credentials, pets }: Setting,
  number: number,
  by: 'key' | 'token',
  format: Format,
): Step => {
  const id = spread(number, pets);
  const accept = format === 'xml' ? xmlType : 'application/json';
  const headers = by === 'key' ? byKey(credentials) : byToken(credentials);
  return {
    request: get(petPath(id), headers, accept),
    status: 200,
    check: async (response) => expectSame(await readPet(response, format), storedPet(id, pets)),
  };
};

/** The response is the pet that was sent, with an id of its own; and so it is stored. */
const expectAdded = async (
  { credentials }: Setting,
  given: unknown,
  pet: unknown,
  ask: Ask,
): Promise<void> => {
  const { id, ...rest } = given as BenchPet;
  expectSame(Number.isSafeInteger(id), true);
  expectSame(rest, pet);
  const found = await ask(get(petPath(id), byKey(credentials)));
  expectSame(jsonOf(found), { id, ...(pet as BenchPet) });
};

/** Adds a pet and leaves its id to the server. */
export const addStep = (setting: Setting, number: number, format: Format): Step => {
  const pet = newPet(number);
  const body = format === 'xml' ? ([xmlType, petXml(pet)] as const) : jsonBody(pet);
  const accept = format === 'xml' ? xmlType : 'application/json';
  return {
    request: write('POST', petPath(), body, byToken(setting.credentials), accept),
    status: 200,
    check: async (response, ask) => expectAdded(setting, await readPet(response, format), pet, ask),
  };
};

/** Adds a pet by a form: its texts and its list of texts, which every contestant reads the same way. */
const addFormStep = (setting: Setting, number: number): Step => {
  const { name, status, photoUrls } = newPet(number);
  const urls = [...photoUrls, `https://images.example.com/pets/${number}-2.png`];
  const form = new URLSearchParams([
    ['name', name],
    ['status', status],
  ]);
  for (const url of urls) form.append('photoUrls', url);
  const body = [formType, form.toString()] as const;
  return {
    request: write('POST', petPath(), body, byToken(setting.credentials)),
    status: 200,
    check: (response, ask) =>
      expectAdded(setting, jsonOf(response), { name, status, photoUrls: urls }, ask),
  };
};

/** Replaces one of the stored pets. */
export const updateStep = ({ credentials, pets }: Setting, number: number): Step => {
  const id = spread(number, pets);
  const pet = { ...storedPet(id, pets), name: `Renamed ${number}` };
  return {
    request: write('PUT', petPath(), jsonBody(pet), byToken(credentials)),
    status: 200,
    async check(response, ask) {
      expectSame(jsonOf(response), pet);
      expectSame(jsonOf(await ask(get(petPath(id), byKey(credentials)))), pet);
    },
  };
};

const [key, token] = ['key', 'token'] as const;
const [json, xml] = ['json', 'xml'] as const;

const readScenario = (by: 'key' | 'token', format: Format): Scenario =>
  scenarioOf(
    'read',
    `read-${format}-${by}`,
    `Read a pet (${format.toUpperCase()}, ${by === key ? 'API key' : 'bearer token'})`,
    (setting, number) => readStep(setting, number, by, format),
    { quick: by === key, needsXml: format === xml },
  );

const addScenario = (format: Format): Scenario =>
  scenarioOf(
    'write',
    `add-${format}`,
    `Add a pet (${format.toUpperCase()})`,
    (setting, number) => addStep(setting, number, format),
    { quick: format === json, needsXml: format === xml },
  );

export const petScenarios: readonly Scenario[] = [
  readScenario(key, json),
  readScenario(key, xml),
  readScenario(token, json),
  readScenario(token, xml),
  addScenario(json),
  addScenario(xml),
  scenarioOf('write', 'add-form', 'Add a pet (form)', addFormStep),
  scenarioOf('write', 'update-json', 'Update a pet (JSON)', updateStep),
];
