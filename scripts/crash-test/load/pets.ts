/** Adding, replacing, patching and deleting pets. */

import type { KeyedStep } from '../history/history';
import { type Fields, petState } from '../history/views';
import {
  bearer,
  type Client,
  fieldsIn,
  newMark,
  type OwnPet,
  requestChange,
  without,
} from './client';
import { withJson } from './http-client';

const statuses = ['available', 'pending', 'sold'] as const;

/** Makes the fields of one version of a pet; every version is unlike all others. */
const fieldsOf = ({ random, prefix }: Client, mark: string, version: number): Fields => ({
  name: `${mark} v${version}`,
  category: { id: random.below(5), name: 'Crash tests' },
  photoUrls: [`https://photos.example/${mark}/${version}`],
  tags: [0, 1].map((id) => ({ id, name: `${prefix}t${random.below(4)}` })),
  status: random.pick(statuses),
});

const petIn = (body: Buffer): KeyedStep => {
  const pet = fieldsIn(body);
  return { kind: 'pet', key: String(pet['id']), to: petState(pet) };
};

const auth = ({ credentials }: Client) => bearer(credentials.pets);

/** Returns an id that the counter will reach soon, unless another pet already has it. No client asks for the same id again. */
const idToGive = ({ random, shared }: Client): number => {
  let id = shared.highest + 1 + random.below(40);
  while (shared.given.has(String(id))) id += 1;
  shared.given.add(String(id));
  return id;
};

/** Adds a pet, under a given id or under one that is assigned; the client keeps it where that was acknowledged. */
const add = async (client: Client, given: number | undefined): Promise<void> => {
  const { shared, history } = client;
  const mark = newMark(client);
  const fields = fieldsOf(client, mark, 1);
  const key = given === undefined ? undefined : String(given);
  const outcome = await requestChange(client, {
    request: withJson(
      { method: 'POST', path: '/petstore/pet', headers: auth(client) },
      given === undefined ? fields : { id: given, ...fields },
    ),
    change: { operation: 'addPet', steps: [{ kind: 'pet', key, to: petState(fields) }] },
    refusals: key === undefined ? [] : [405],
    stepsIn: (body) => [petIn(body)],
  });
  if (outcome.kind === 'refused' && outcome.status === 405 && key !== undefined) {
    history.recordConflict('pet', key);
  }
  if (outcome.kind !== 'made') return;
  const id = petIn(outcome.body).key;
  if (key === undefined) shared.highest = Math.max(shared.highest, Number(id));
  const isContested = key === undefined && shared.given.has(id);
  client.pets.push({ id, mark, version: 1, fields, isContested });
};

export const addPet = (client: Client): Promise<void> => add(client, undefined);

export const addPetWithId = (client: Client): Promise<void> => add(client, idToGive(client));

/** Leaves a pet alone whose last change is indeterminate. */
const drop = (client: Client, pet: OwnPet): void => {
  client.pets = without(client.pets, pet);
};

export const updatePet = async (client: Client): Promise<void> => {
  const pet = client.random.pickAny(client.pets);
  if (pet === undefined) return addPet(client);
  const version = pet.version + 1;
  const fields = fieldsOf(client, pet.mark, version);
  const outcome = await requestChange(client, {
    request: withJson(
      { method: 'PUT', path: '/petstore/pet', headers: auth(client) },
      { id: Number(pet.id), ...fields },
    ),
    change: { operation: 'updatePet', steps: [{ kind: 'pet', key: pet.id, to: petState(fields) }] },
    stepsIn: (body) => [petIn(body)],
  });
  if (outcome.kind === 'made') Object.assign(pet, { version, fields });
  if (outcome.kind === 'indeterminate') drop(client, pet);
};

/** Changes name and status. */
export const updatePetWithForm = async (client: Client): Promise<void> => {
  const pet = client.random.pickAny(client.pets);
  if (pet === undefined) return addPet(client);
  const version = pet.version + 1;
  const changes = { name: `${pet.mark} v${version}`, status: client.random.pick(statuses) };
  const fields = { ...pet.fields, ...changes };
  const outcome = await requestChange(client, {
    request: {
      method: 'POST',
      path: `/petstore/pet/${pet.id}?${new URLSearchParams(changes)}`,
      headers: auth(client),
    },
    change: {
      operation: 'updatePetWithForm',
      steps: [{ kind: 'pet', key: pet.id, to: petState(fields) }],
    },
    stepsIn: (body) => [petIn(body)],
  });
  if (outcome.kind === 'made') Object.assign(pet, { version, fields });
  if (outcome.kind === 'indeterminate') drop(client, pet);
};

export const deletePet = async (client: Client): Promise<void> => {
  const pet = client.random.pickAny(client.pets.filter(({ isContested }) => !isContested));
  if (pet === undefined) return addPet(client);
  drop(client, pet);
  const outcome = await requestChange(client, {
    request: { method: 'DELETE', path: `/petstore/pet/${pet.id}`, headers: auth(client) },
    change: { operation: 'deletePet', steps: [{ kind: 'pet', key: pet.id, to: undefined }] },
  });
  if (outcome.kind === 'refused') client.pets.push(pet);
};
