/** Adding, replacing, patching and deleting pets. */

import type { KeyedStep } from '../history/history';
import { type Fields, stateWithoutId } from '../history/views';
import { type Client, fieldsIn, newMark, type OwnPet, requestChange, without } from './client';
import type { HttpRequest } from './http-client';

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
  return { kind: 'pet', key: String(pet['id']), to: stateWithoutId(pet) };
};

/** Adds a pet, under a given id or under one that is assigned; the client keeps it where that was acknowledged. */
const add = async (client: Client, given: number | undefined): Promise<void> => {
  const { shared, history } = client;
  const mark = newMark(client);
  const fields = fieldsOf(client, mark, 1);
  const key = given?.toString();
  const outcome = await requestChange(client, {
    request: {
      method: 'POST',
      path: '/petstore/pet',
      token: client.credentials.pets,
      json: given === undefined ? fields : { id: given, ...fields },
    },
    operation: 'addPet',
    steps: [{ kind: 'pet', key, to: stateWithoutId(fields) }],
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

/** Adds a pet under an id that the counter will reach soon, unless another pet already has it. No client asks for the same id again. */
export const addPetWithId = (client: Client): Promise<void> => {
  const { random, shared } = client;
  let id = shared.highest + 1 + random.below(40);
  while (shared.given.has(String(id))) id += 1;
  shared.given.add(String(id));
  return add(client, id);
};

/** Gives one of the client's pets other fields; it is left alone where that is indeterminate. */
const change = async (
  client: Client,
  operation: string,
  fieldsFor: (pet: OwnPet, version: number) => Fields,
  requestFor: (pet: OwnPet, fields: Fields) => HttpRequest,
): Promise<void> => {
  const pet = client.random.pickAny(client.pets);
  if (pet === undefined) return addPet(client);
  const version = pet.version + 1;
  const fields = fieldsFor(pet, version);
  const outcome = await requestChange(client, {
    request: { ...requestFor(pet, fields), token: client.credentials.pets },
    operation,
    steps: [{ kind: 'pet', key: pet.id, to: stateWithoutId(fields) }],
    stepsIn: (body) => [petIn(body)],
  });
  if (outcome.kind === 'made') Object.assign(pet, { version, fields });
  if (outcome.kind === 'indeterminate') client.pets = without(client.pets, pet);
};

export const updatePet = (client: Client): Promise<void> =>
  change(
    client,
    'updatePet',
    ({ mark }, version) => fieldsOf(client, mark, version),
    ({ id }, fields) => ({
      method: 'PUT',
      path: '/petstore/pet',
      json: { id: Number(id), ...fields },
    }),
  );

/** Changes name and status. */
export const updatePetWithForm = (client: Client): Promise<void> =>
  change(
    client,
    'updatePetWithForm',
    ({ fields, mark }, version) => ({
      ...fields,
      name: `${mark} v${version}`,
      status: client.random.pick(statuses),
    }),
    ({ id }, { name, status }) => ({
      method: 'POST',
      path: `/petstore/pet/${id}?${new URLSearchParams({ name: `${name}`, status: `${status}` })}`,
    }),
  );

export const deletePet = async (client: Client): Promise<void> => {
  const pet = client.random.pickAny(client.pets.filter(({ isContested }) => !isContested));
  if (pet === undefined) return addPet(client);
  client.pets = without(client.pets, pet);
  const outcome = await requestChange(client, {
    request: { method: 'DELETE', path: `/petstore/pet/${pet.id}`, token: client.credentials.pets },
    operation: 'deletePet',
    steps: [{ kind: 'pet', key: pet.id, to: undefined }],
  });
  if (outcome.kind === 'refused') client.pets.push(pet);
};
