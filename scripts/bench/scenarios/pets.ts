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
  json,
  petPath,
  type Scenario,
  type Setting,
  type Step,
  spread,
  stepsOf,
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
  const body = format === 'xml' ? ([xmlType, petXml(pet)] as const) : json(pet);
  const accept = format === 'xml' ? xmlType : 'application/json';
  return {
    request: write('POST', petPath(), body, byToken(setting.credentials), accept),
    status: 200,
    check: async (response, ask) => expectAdded(setting, await readPet(response, format), pet, ask),
  };
};

/** Adds a pet by a form: its texts and its list of texts, which every contestant reads the same way. */
export const addFormStep = (setting: Setting, number: number): Step => {
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
    request: write('PUT', petPath(), json(pet), byToken(credentials)),
    status: 200,
    async check(response, ask) {
      expectSame(jsonOf(response), pet);
      expectSame(jsonOf(await ask(get(petPath(id), byKey(credentials)))), pet);
    },
  };
};

const reads: readonly Scenario[] = [
  {
    name: 'read-json-key',
    title: () => 'Read a pet (JSON, API key)',
    phase: 'read',
    quick: true,
    steps: (setting) => stepsOf((number) => readStep(setting, number, 'key', 'json')),
  },
  {
    name: 'read-xml-key',
    title: () => 'Read a pet (XML, API key)',
    phase: 'read',
    quick: true,
    needsXml: true,
    steps: (setting) => stepsOf((number) => readStep(setting, number, 'key', 'xml')),
  },
  {
    name: 'read-json-token',
    title: () => 'Read a pet (JSON, bearer token)',
    phase: 'read',
    steps: (setting) => stepsOf((number) => readStep(setting, number, 'token', 'json')),
  },
  {
    name: 'read-xml-token',
    title: () => 'Read a pet (XML, bearer token)',
    phase: 'read',
    needsXml: true,
    steps: (setting) => stepsOf((number) => readStep(setting, number, 'token', 'xml')),
  },
];

const writes: readonly Scenario[] = [
  {
    name: 'add-json',
    title: () => 'Add a pet (JSON)',
    phase: 'write',
    quick: true,
    steps: (setting) => stepsOf((number) => addStep(setting, number, 'json')),
  },
  {
    name: 'add-xml',
    title: () => 'Add a pet (XML)',
    phase: 'write',
    needsXml: true,
    steps: (setting) => stepsOf((number) => addStep(setting, number, 'xml')),
  },
  {
    name: 'add-form',
    title: () => 'Add a pet (form)',
    phase: 'write',
    steps: (setting) => stepsOf((number) => addFormStep(setting, number)),
  },
  {
    name: 'update-json',
    title: () => 'Update a pet (JSON)',
    phase: 'write',
    steps: (setting) => stepsOf((number) => updateStep(setting, number)),
  },
];

export const petScenarios: readonly Scenario[] = [...reads, ...writes];
