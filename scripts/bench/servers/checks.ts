/** The checks of the hand-written peer for pets, orders and advertisements. */

export interface Named {
  readonly id?: number;
  readonly name?: string;
}

export interface Pet {
  readonly id?: number;
  readonly name: string;
  readonly category?: Named;
  readonly photoUrls: readonly string[];
  readonly tags?: readonly Named[];
  readonly status?: string;
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string';
const isInteger = (value: unknown): boolean => Number.isSafeInteger(value);
const mayBe = (value: unknown, check: (value: unknown) => boolean): boolean =>
  value === undefined || check(value);
const isNamed = (value: unknown): boolean =>
  isObject(value) && mayBe(value['id'], isInteger) && mayBe(value['name'], isText);
const isList = (value: unknown, check: (value: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(check);
const isDateTime = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(value) &&
  !Number.isNaN(Date.parse(value));

const petStatuses: ReadonlySet<unknown> = new Set(['available', 'pending', 'sold']);
const orderStatuses: ReadonlySet<unknown> = new Set(['placed', 'approved', 'delivered']);

/** Returns the declared properties of a pet; undefined where the value is not one. */
export const readPet = (value: unknown): Pet | undefined => {
  if (!isObject(value)) return undefined;
  const { id, name, category, photoUrls, tags, status } = value;
  const fits =
    isText(name) &&
    isList(photoUrls, isText) &&
    mayBe(id, isInteger) &&
    mayBe(category, isNamed) &&
    mayBe(tags, (given) => isList(given, isNamed)) &&
    mayBe(status, (given) => petStatuses.has(given));
  return fits ? ({ id, name, category, photoUrls, tags, status } as Pet) : undefined;
};

/** Returns the declared properties of an order; undefined where the value is not one. */
export const readOrder = (value: unknown): (Fields & { readonly id?: number }) | undefined => {
  if (!isObject(value)) return undefined;
  const { id, petId, quantity, shipDate, status, complete } = value;
  const fits =
    [id, petId, quantity].every((given) => mayBe(given, isInteger)) &&
    mayBe(shipDate, isDateTime) &&
    mayBe(status, (given) => orderStatuses.has(given)) &&
    mayBe(complete, (given) => typeof given === 'boolean');
  return fits
    ? ({ id, petId, quantity, shipDate, status, complete } as Fields & { id?: number })
    : undefined;
};

const isAnswer = (value: unknown): boolean =>
  isObject(value) && mayBe(value['answer'], isText) && mayBe(value['date'], isDateTime);
const isQuestion = (value: unknown): boolean =>
  isObject(value) &&
  mayBe(value['user'], isText) &&
  mayBe(value['question'], isText) &&
  mayBe(value['answers'], (given) => isList(given, isAnswer));

const choices: readonly (readonly [string, ReadonlySet<unknown>])[] = [
  ['propertyType', new Set(['À la vente', 'À la location'])],
  ['publicationStatus', new Set(['Publiée', 'Non publiée'])],
  ['propertyStatus', new Set(['Disponible', 'Loué', 'Vendu'])],
];

/** Returns the declared properties of an advertisement; undefined where the value is not one. */
export const readAd = (value: unknown): Fields | undefined => {
  if (!isObject(value)) return undefined;
  const { title, propertyType, publicationStatus, propertyStatus, description, price } = value;
  const { availabilityDate, photos, userName, questions } = value;
  const fits =
    [title, description, userName].every(isText) &&
    choices.every(([name, allowed]) => allowed.has(value[name])) &&
    typeof price === 'number' &&
    price >= 0 &&
    isDateTime(availabilityDate) &&
    mayBe(photos, (given) => isList(given, isText)) &&
    mayBe(questions, (given) => isList(given, isQuestion));
  const rest = { description, price, availabilityDate, photos, userName, questions };
  return fits ? { title, propertyType, publicationStatus, propertyStatus, ...rest } : undefined;
};
