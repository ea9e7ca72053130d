/** The requests that are validated: every operation of both services in JSON, right and wrong ones. */

/** One request, and the status that the contract has for it. */
export interface Step {
  readonly service: 'petstore' | 'ads';
  readonly operationId: string;
  readonly status: number;
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | readonly string[]>>;
  /** An API key, an access token with all scopes, or the login of the last loginUser. */
  readonly credential?: 'key' | 'token' | 'login';
  /** `application/json` where this is not given. */
  readonly type?: string;
  /** Text and bytes are sent as they are, any other value as JSON. */
  readonly body?: unknown;
  /** Present where the request breaks the document; its response must not. */
  readonly isWrong?: true;
  /** The place where Prism wrongly finds a fault in the request: `request.body.NAME`. */
  readonly misjudged?: string;
}

type StepOptions = Omit<Step, 'service' | 'operationId' | 'status'>;

const stepOf =
  (service: Step['service']) =>
  (operationId: string, status: number, options: StepOptions = {}): Step => ({
    service,
    operationId,
    status,
    ...options,
  });

const pets = stepOf('petstore');
const ads = stepOf('ads');
const [key, token, login] = ['key', 'token', 'login'] as const;
const wrong = { isWrong: true } as const;
const form = 'application/x-www-form-urlencoded';

const demo = { username: 'demo', password: 'demo-password' };
const ada = { username: 'ada', password: 'a long enough password' };

const userSteps: readonly Step[] = [
  pets('loginUser', 400, { query: { ...demo, password: 'no' } }),
  pets('loginUser', 400, { query: { username: 'demo' }, ...wrong }),
  pets('loginUser', 200, { query: demo }),
  pets('createUser', 401, { body: ada }),
  pets('createUser', 200, {
    credential: login,
    body: { ...ada, id: 1000, email: 'a@example.com' },
  }),
  pets('createUser', 409, { credential: login, body: ada }),
  pets('createUser', 400, { credential: login, body: { username: 7 }, ...wrong }),
  pets('createUsersWithListInput', 200, { credential: login, body: [{ username: 'ben' }] }),
  pets('createUsersWithListInput', 401, { body: [{ username: 'cleo' }] }),
  pets('getUserByName', 200, { path: { username: 'ada' } }),
  pets('getUserByName', 404, { path: { username: 'nobody' } }),
  pets('updateUser', 403, { path: { username: 'ada' }, credential: login, body: ada }),
  pets('loginUser', 200, { query: ada }),
  pets('updateUser', 200, {
    path: { username: 'ada' },
    credential: login,
    body: { username: 'ada', firstName: 'Ada', password: ada.password },
  }),
  pets('loginUser', 200, { query: ada }),
  pets('logoutUser', 200, { credential: login }),
  pets('updateUser', 401, { path: { username: 'ada' }, credential: login, body: ada }),
  pets('loginUser', 200, { query: ada }),
  pets('deleteUser', 403, { path: { username: 'ben' }, credential: login }),
  pets('deleteUser', 200, { path: { username: 'ada' }, credential: login }),
  pets('deleteUser', 401, { path: { username: 'ben' } }),
];

const pet = {
  id: 900,
  name: 'Ida',
  category: { id: 1, name: 'Dogs' },
  photoUrls: ['https://images.example.com/ida.png'],
  tags: [{ id: 1, name: 'small' }],
  status: 'available',
};
const ida = { petId: pet.id };
const unknown = { petId: 123_456_789 };

const petSteps: readonly Step[] = [
  pets('addPet', 200, { credential: token, body: pet }),
  // OAS 3.0.3, Encoding Object: a list in a form repeats its name; Prism then calls it no list.
  pets('addPet', 200, {
    credential: token,
    type: form,
    misjudged: 'request.body.photoUrls',
    body: 'name=Max&photoUrls=a&photoUrls=b',
  }),
  pets('addPet', 401, { body: pet, ...wrong }),
  pets('addPet', 405, { credential: token, body: { name: 'Nobody' }, ...wrong }),
  pets('updatePet', 200, { credential: token, body: { ...pet, status: 'pending' } }),
  pets('updatePet', 404, { credential: token, body: { ...pet, id: unknown.petId } }),
  pets('updatePet', 400, { credential: token, body: { ...pet, id: 'x' }, ...wrong }),
  pets('findPetsByStatus', 200, { credential: token, query: { status: 'pending' } }),
  pets('findPetsByStatus', 200, { credential: token }),
  pets('findPetsByStatus', 400, { credential: token, query: { status: 'lost' }, ...wrong }),
  pets('findPetsByTags', 200, { credential: token, query: { tags: ['small', 'large'] } }),
  pets('getPetById', 200, { credential: key, path: ida }),
  pets('getPetById', 200, { credential: token, path: ida }),
  pets('getPetById', 404, { credential: key, path: unknown }),
  pets('getPetById', 400, { credential: key, path: { petId: 'x' }, ...wrong }),
  pets('getPetById', 401, { path: ida, ...wrong }),
  pets('updatePetWithForm', 200, { credential: token, path: ida, query: { name: 'Ida II' } }),
  pets('updatePetWithForm', 405, {
    credential: token,
    path: ida,
    query: { status: 'x' },
    ...wrong,
  }),
  pets('uploadFile', 200, {
    credential: token,
    path: ida,
    query: { additionalMetadata: 'front' },
    type: 'application/octet-stream',
    body: new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
  }),
  pets('uploadFile', 404, {
    credential: token,
    path: unknown,
    type: 'application/octet-stream',
    body: 'bytes',
  }),
  pets('deletePet', 200, { credential: token, path: ida }),
  pets('deletePet', 400, { credential: token, path: ida }),
];

const order = {
  id: 900,
  petId: 1,
  quantity: 2,
  shipDate: '2030-01-01T12:00:00Z',
  status: 'placed',
};

const storeSteps: readonly Step[] = [
  pets('getInventory', 200, { credential: key }),
  pets('getInventory', 401, wrong),
  pets('placeOrder', 200, { body: { ...order, complete: false } }),
  pets('placeOrder', 200, { type: form, body: 'petId=1&quantity=2&complete=true' }),
  pets('placeOrder', 405, { body: { quantity: 'two' }, ...wrong }),
  pets('getOrderById', 200, { path: { orderId: order.id } }),
  pets('getOrderById', 400, { path: { orderId: 7 }, ...wrong }),
  pets('getOrderById', 404, { path: { orderId: 901_901 } }),
  pets('deleteOrder', 200, { path: { orderId: order.id } }),
  pets('deleteOrder', 404, { path: { orderId: order.id } }),
  pets('deleteOrder', 400, { path: { orderId: 1000 }, ...wrong }),
];

const ad = {
  title: 'Maison de ville avec jardin',
  propertyType: 'À la location',
  publicationStatus: 'Publiée',
  propertyStatus: 'Disponible',
  description: 'Quatre chambres',
  price: 1450.5,
  availabilityDate: '2030-06-15T10:00:00+02:00',
  userName: 'demo',
  questions: [{ user: 'claire', question: 'Y a-t-il une cave ?', answers: [] }],
};

const adSteps: readonly Step[] = [
  ads('loginUser', 400, { query: { ...demo, password: 'no' } }),
  ads('loginUser', 200, { query: demo }),
  ads('createUser', 200, { credential: login, body: { ...ada, isAgent: true } }),
  ads('createUser', 409, { credential: login, body: { ...ada, isAgent: true } }),
  ads('createUser', 400, { credential: login, body: ada, ...wrong }),
  ads('createUser', 401, { body: { ...ada, isAgent: true } }),
  ads('addAd', 200, { credential: token, body: ad }),
  ads('addAd', 405, { credential: token, body: { ...ad, price: -1 }, ...wrong }),
  ads('addAd', 401, { body: ad, ...wrong }),
  ads('addAd', 403, { credential: login, body: ad }),
  ads('logoutUser', 200, { credential: login }),
  ads('logoutUser', 200),
];

/** In the order in which the requests are sent, to a server with nothing but the demo data. */
export const steps: readonly Step[] = [...userSteps, ...petSteps, ...storeSteps, ...adSteps];
