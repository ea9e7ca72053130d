/** Mistakes that servers make, and the rule by which a test has to find each. */

import type { TestRule } from '../../../src/contract';
import type { Changeable, Mistake, PassedAnswer, PassedRequest, Shop } from './shop-server';

/** A mistake, and what has to be said of it. */
export interface Fault extends Mistake {
  readonly name: string;
  readonly operation: string;
  readonly rule: TestRule;
  /** A part of the failure's place. */
  readonly place?: string;
}

const fault = (
  name: string,
  operation: string,
  rule: TestRule,
  mistake: Mistake & Pick<Fault, 'place'>,
): Fault => ({ name, operation, rule, ...mistake });

const limits = (document: Changeable) => document.components.schemas.Limits;

/** A bound of one property that the server does not know. */
const unchecked = (property: string, place: string, ...keywords: string[]): Fault => ({
  name: `${keywords.join(', ') || 'the schema'} of ${property} unchecked`,
  operation: 'setLimits',
  rule: 'invalid-accepted',
  place: `body/${property} ${place}`,
  document(document) {
    const schema = limits(document).properties[property];
    for (const keyword of keywords) delete schema[keyword];
    if (keywords.length === 0) limits(document).properties[property] = {};
  },
});

const item = (document: Changeable) => document.components.schemas.Item.properties;

const operationAt = (document: Changeable, path: string, method: string) =>
  document.paths[path][method];

const parameter = (document: Changeable, path: string, name: string) =>
  operationAt(document, path, 'get').parameters.find((one: Changeable) => one.name === name);

const isAt = ({ method, url }: PassedRequest, at: string): boolean => {
  const [wanted, path = ''] = at.split(' ');
  return method === wanted && new RegExp(`^${path}(\\?|$)`).test(url);
};

/** A success at one operation that comes back changed. */
const changed =
  (at: string, change: (answer: PassedAnswer, request: PassedRequest) => void) =>
  (answer: PassedAnswer, request: PassedRequest): void => {
    if (isAt(request, at) && answer.status < 300) change(answer, request);
  };

/** The text of a success in JSON changed: parsing it would round its integers. */
const changedJson = (at: string, pattern: RegExp, by: string) =>
  changed(at, (answer) => {
    if (!String(answer.headers['content-type']).includes('json')) return;
    answer.body = answer.body.replaceAll(pattern, by);
  });

const anItem = '/items/[0-9]+';

const rounded = (shop: Shop): void => {
  const store = shop.store.bind(shop);
  shop.store = (one) => store({ ...one, serial: BigInt(Number(one['serial'])) });
};

/** A valid value of one property that the server refuses, as it has another bound. */
const refused = (name: string, property: string, bound: object): Fault =>
  fault(name, 'setLimits', 'valid-refused', {
    place: `body ${property}`,
    document: (document) => Object.assign(limits(document).properties[property], bound),
  });

/** Each group lives in one server. */
export const faultGroups: Readonly<Record<string, readonly Fault[]>> = {
  'bounds of numbers': [
    unchecked('count', 'below', 'minimum'),
    unchecked('count', 'above', 'maximum'),
    unchecked('ratio', 'below', 'exclusiveMinimum'),
    unchecked('ratio', 'above', 'exclusiveMaximum'),
    unchecked('step', 'no multiple', 'multipleOf'),
    unchecked('small', 'against its format', 'format'),
    unchecked('flag', 'of another type'),
  ],
  'next to the limits of numbers': [
    refused('the greatest number refused', 'count', { maximum: 899 }),
    refused('one of few values refused', 'flag', { enum: [true] }),
    fault('an exclusive limit taken', 'setLimits', 'invalid-accepted', {
      place: 'body/ratio below',
      document: (document) => delete limits(document).properties.ratio.exclusiveMinimum,
    }),
    fault('a text taken for a number', 'setLimits', 'invalid-accepted', {
      place: 'body/step of another type',
      document(document) {
        const { step } = limits(document).properties;
        limits(document).properties.step = { anyOf: [step, { type: 'string', pattern: '^\\d' }] };
      },
    }),
  ],
  'next to other limits': [
    refused('letters that are not ASCII refused', 'label', { pattern: '^[ -~]*$' }),
    refused('a part of int32 refused', 'small', { maximum: 2 ** 31 - 2 }),
    refused('the longest list refused', 'list', { maxItems: 4 }),
    fault('a pattern without its end', 'setLimits', 'invalid-accepted', {
      place: 'body/code against',
      document(document) {
        limits(document).properties.code.pattern = '^[a-z]{2}-[0-9]{3}';
      },
    }),
    fault('one property too many', 'setLimits', 'invalid-accepted', {
      place: 'body with too many properties',
      document(document) {
        limits(document).maxProperties = 7;
      },
    }),
  ],
  'bounds of texts': [
    unchecked('label', 'too short', 'minLength'),
    unchecked('label', 'too long', 'maxLength'),
    unchecked('code', 'against its pattern', 'pattern'),
    unchecked('mode', 'none of the listed', 'enum'),
    unchecked('day', 'against its format', 'format'),
    unchecked('token', 'against its format', 'format'),
    {
      ...unchecked('comment', ''),
      name: 'null where it is not allowed',
      place: 'body/label null',
      document(document) {
        limits(document).properties.label.nullable = true;
      },
    },
  ],
  'bounds of lists and objects': [
    unchecked('list', 'with too few', 'minItems'),
    unchecked('list', 'with too many', 'maxItems'),
    unchecked('list', 'with an item twice', 'uniqueItems'),
    { ...unchecked('inner', '', 'required'), place: 'body/inner/deep missing' },
    fault('a required property unchecked', 'setLimits', 'invalid-accepted', {
      place: 'body/count missing',
      document: (document) => delete limits(document).required,
    }),
    fault('additionalProperties unchecked', 'setLimits', 'invalid-accepted', {
      place: 'though no such property',
      document: (document) => delete limits(document).additionalProperties,
    }),
    fault('maxProperties unchecked', 'setLimits', 'invalid-accepted', {
      place: 'too many properties',
      document: (document) => delete limits(document).maxProperties,
    }),
  ],
  'styles of parameters': [
    fault('a pipe-delimited list taken for a comma-separated one', 'searchItems', 'valid-refused', {
      place: 'query colors',
      document(document) {
        parameter(document, '/search', 'colors').style = 'form';
      },
    }),
  ],
  'styles of lists, and HEAD': [
    fault('HEAD without a header', 'getHealth', 'head-differs', {
      place: 'X-Uptime',
      answer(answer, { method }) {
        if (method === 'HEAD') delete answer.headers['x-uptime'];
      },
    }),
    fault('a list of several refused', 'listItems', 'valid-refused', {
      place: 'query ids',
      request(request) {
        request.url = request.url.replace(/([?&]ids=)[^&]*(?:,|%2C)[^&]*/, '$1x');
      },
    }),
  ],
  'checks of parameters': [
    fault('a required query parameter unchecked', 'searchItems', 'invalid-accepted', {
      place: '"top" missing',
      document(document) {
        parameter(document, '/search', 'top').required = false;
      },
    }),
    fault('the maximum of a query parameter unchecked', 'searchItems', 'invalid-accepted', {
      place: '"top" above',
      document: (document) => delete parameter(document, '/search', 'top').schema.maximum,
    }),
    fault('a property of a deepObject unchecked', 'searchItems', 'invalid-accepted', {
      place: '"range"/low',
      document: (document) =>
        delete parameter(document, '/search', 'range').schema.properties.low.minimum,
    }),
    fault('the pattern of a header unchecked', 'listItems', 'invalid-accepted', {
      place: '"X-Trace" against',
      document: (document) => delete parameter(document, '/items', 'X-Trace').schema.pattern,
    }),
    fault('the minimum of a form field unchecked', 'createNote', 'invalid-accepted', {
      place: 'body/stars below',
      document: (document) => delete document.components.schemas.Note.properties.stars.minimum,
    }),
  ],
  'storage: digits, lists, removal': [
    fault('int64 through a double', 'createItem', 'value-changed', {
      place: '/serial',
      shop(shop) {
        rounded(shop);
        shop.create = (body) => {
          shop.lastId += 1n;
          const one = { ...body, id: shop.lastId };
          shop.store(one);
          return shop.items.get(one.id) ?? one;
        };
      },
    }),
    fault('a list without what was created', 'listItems', 'created-not-listed', {
      shop(shop) {
        const list = shop.list.bind(shop);
        shop.list = () => list().slice(0, 1);
      },
    }),
    fault('DELETE deletes nothing', 'deleteItem', 'deleted-still-there', {
      shop(shop) {
        shop.remove = () => undefined;
      },
    }),
    fault('PUT stores nothing', 'replaceItem', 'update-lost', {
      shop(shop) {
        shop.replace = (id, body) => ({ ...body, id });
      },
    }),
  ],
  'storage: optional properties': [
    fault('POST drops an optional property', 'createItem', 'value-changed', {
      place: '/color',
      shop(shop) {
        const create = shop.create.bind(shop);
        shop.create = (body) => create({ ...body, color: undefined });
      },
    }),
    fault('PUT drops an optional property', 'replaceItem', 'value-changed', {
      place: '/made',
      shop(shop) {
        const replace = shop.replace.bind(shop);
        shop.replace = (id, body) => {
          replace(id, { ...body, made: undefined });
          return { ...body, id };
        };
      },
    }),
  ],
  'storage: optional properties at a collection': [
    fault('PUT drops an optional property of what its body names', 'replaceBox', 'value-changed', {
      place: '/size',
      request(request) {
        if (!isAt(request, 'PUT /boxes')) return;
        request.body = request.body.replace(/,?"size":\{[^}]*\}/, '');
      },
    }),
  ],
  'storage: properties of an object': [
    fault('POST drops a property of an object', 'createBox', 'value-changed', {
      place: '/size/width',
      request(request) {
        if (!isAt(request, 'POST /boxes')) return;
        request.body = request.body.replace(/,"width":-?\d+|"width":-?\d+,?/, '');
      },
    }),
  ],
  'storage: one media type': [
    fault('POST drops a property in JSON alone', 'createItem', 'value-changed', {
      place: '/color',
      request(request) {
        if (isAt(request, 'POST /items'))
          request.body = request.body.replace(/,"color":"[a-z]+"/, '');
      },
    }),
  ],
  'storage: what nobody names': [
    fault('PATCH wipes the rest', 'changeItem', 'value-changed', {
      place: '/tags',
      shop(shop) {
        shop.change = ({ id, name, ...item }, body) =>
          shop.replace(id, { ...item, name, made: undefined, tags: ['x'], ...body });
      },
    }),
    fault('another default than the declared one', 'createItem', 'value-changed', {
      place: '/grade',
      document: (document) => delete item(document).grade.default,
      shop(shop) {
        const create = shop.create.bind(shop);
        shop.create = (body) => create({ grade: 'a', ...body });
      },
    }),
  ],
  'storage: pages': [
    fault('a page without the newest', 'listBoxes', 'created-not-listed', {
      shop(shop) {
        shop.listBoxes = () => [...shop.boxes.values()].slice(0, -1);
      },
    }),
  ],
  'uploads: not kept': [
    fault('an image that is not kept', 'getImage', 'created-not-found', {
      shop(shop) {
        shop.images.set = () => shop.images;
      },
    }),
  ],
  'uploads: as text': [
    fault('an image that comes back as text', 'getImage', 'value-changed', {
      answer: changed('GET /items/[0-9]+/image', (answer) => {
        const text = Buffer.from(answer.body, 'latin1').toString();
        answer.body = Buffer.from(text).toString('latin1');
      }),
    }),
  ],
  'ETags that change': [
    fault('an ETag of its own for each answer', 'getHealth', 'etag-wrong', {
      answer(answer) {
        answer.headers['etag'] = `"${process.hrtime.bigint()}"`;
      },
    }),
  ],
  'ETags that stay': [
    fault('one ETag for all', 'getItem', 'etag-wrong', {
      answer(answer) {
        answer.headers['etag'] = '"1"';
      },
    }),
  ],
  'storage: nothing': [
    fault('POST stores nothing', 'getItem', 'created-not-found', {
      shop(shop) {
        const items = new Map(shop.items);
        shop.store = (one) => void items.set(one.id, one);
      },
    }),
  ],
  'directions and XML': [
    fault('writeOnly leaked', 'createItem', 'write-only-sent', {
      place: '/secret',
      document: (document) => delete item(document).secret.writeOnly,
    }),
    fault('readOnly accepted', 'createItem', 'read-only-accepted', {
      place: 'id',
      document: (document) => delete item(document).id.readOnly,
    }),
    fault('an element misnamed', 'getItem', 'xml-differs', {
      place: '/color',
      document(document) {
        item(document).color = { type: 'string', xml: { name: 'colour' } };
      },
    }),
  ],
  'XML: structure': [
    fault('a list not wrapped', 'getItem', 'xml-differs', {
      place: '/tags',
      answer: changed(`GET ${anItem}`, (answer) => {
        answer.body = answer.body.replaceAll(/<\/?tags>/g, '');
      }),
    }),
    fault('an attribute as an element', 'getItem', 'xml-differs', {
      place: '/price',
      answer: changed(`GET ${anItem}`, (answer) => {
        answer.body = answer.body.replaceAll(/<(\/?)price>/g, '<$1cost>');
      }),
    }),
  ],
  'answers: bodies': [
    fault('another status', 'createItem', 'undeclared-status', {
      answer: changed('POST /items', (answer) => {
        answer.status = 202;
      }),
    }),
    fault('a missing property', 'getItem', 'body-invalid', {
      place: '/name',
      answer: changedJson(`GET ${anItem}`, /"name":"[^"]*",?/g, ''),
    }),
    fault('a property of another type', 'listItems', 'body-invalid', {
      place: '/*/price',
      answer: changedJson('GET /items', /"price":([^,}]+)/g, '"price":"$1"'),
    }),
    fault('a malformed body', 'setLimits', 'body-malformed', {
      answer: changed('PUT /limits', (answer) => {
        answer.body = `${answer.body.slice(0, -1)},`;
      }),
    }),
    fault('no body', 'createNote', 'body-missing', {
      answer: changed('POST /notes', (answer) => {
        answer.body = '';
      }),
    }),
    fault('another Content-Type', 'searchItems', 'undeclared-content-type', {
      answer: changed('GET /search', (answer) => {
        answer.headers['content-type'] = 'text/html';
      }),
    }),
    fault('Accept ignored', 'replaceItem', 'accept-ignored', {
      request(request) {
        if (isAt(request, `PUT ${anItem}`)) request.headers['accept'] = 'application/json';
      },
    }),
    fault('a missing header', 'getHealth', 'header-missing', {
      place: 'X-Uptime',
      answer: changed('GET /health', (answer) => delete answer.headers['x-uptime']),
    }),
  ],
  'answers: messages': [
    fault('a header of another type', 'getHealth', 'header-invalid', {
      place: 'X-Uptime',
      answer: changed('GET /health', (answer) => {
        answer.headers['x-uptime'] = 'long';
      }),
    }),
    fault('no Content-Type', 'setLimits', 'content-type-missing', {
      answer: changed('PUT /limits', (answer) => delete answer.headers['content-type']),
    }),
    fault('204 with a body', 'deleteItem', 'body-not-allowed', {
      message({ method }, response) {
        if (method !== 'DELETE') return false;
        const lines = [
          'HTTP/1.1 204 No Content',
          'Content-Length: 4',
          'Connection: close',
          '',
          'done',
        ];
        response.socket?.end(lines.join('\r\n'));
        return true;
      },
    }),
    fault('500 at a boundary', 'searchItems', 'server-error', {
      answer: changed('GET /search', (answer, { url }) => {
        if (/top=50(?:&|$)/.test(url)) answer.status = 500;
      }),
    }),
    fault('500 at text that is not ASCII', 'createNote', 'server-error', {
      answer: changed('POST /notes', (answer, { body }) => {
        if (/[\u0080-\u00ff]|%[C-F]/.test(body)) answer.status = 500;
      }),
    }),
    fault('the connection dropped', 'listItems', 'no-response', {
      message({ method, url }, response) {
        if (method !== 'GET' || !/^\/items\?.*color=green/.test(url ?? '')) return false;
        response.socket?.destroy();
        return true;
      },
    }),
  ],
  'a media type refused': [
    fault('XML refused', 'createItem', 'valid-refused', {
      place: 'body of application/xml',
      request(request) {
        if (request.body.startsWith('<')) request.headers['content-type'] = 'text/csv';
      },
    }),
  ],
  'methods and media types': [
    fault('HEAD with another status', 'getHealth', 'head-differs', {
      answer(answer, { method, url }) {
        if (method === 'HEAD' && url === '/health') answer.status = 400;
      },
    }),
    fault('405 without Allow', 'searchItems', 'allow-missing', {
      answer(answer, { url }) {
        if (url.startsWith('/search')) delete answer.headers['allow'];
      },
    }),
    fault('Allow without a method', 'getItem', 'allow-incomplete', {
      answer(answer, { url }) {
        if (answer.status === 405 && url.startsWith('/items/')) answer.headers['allow'] = 'PUT';
      },
    }),
    fault('an undeclared method answered', 'setLimits', 'undeclared-method-accepted', {
      answer(answer, { method, url }) {
        if (method === 'DELETE' && url === '/limits') answer.status = 200;
      },
    }),
    fault('any media type taken', 'createItem', 'undeclared-media-type-accepted', {
      request(request) {
        if (isAt(request, 'POST /items') && request.body.startsWith('{')) {
          request.headers['content-type'] = 'application/json';
        }
      },
    }),
  ],
  security: [
    fault('no authentication', 'replaceItem', 'authentication-missing', {
      document(document) {
        operationAt(document, '/items/{id}', 'put').security = [];
      },
    }),
    fault('scopes ignored', 'createItem', 'scope-ignored', {
      document(document) {
        operationAt(document, '/items', 'post').security = [{ oauth: [] }];
      },
    }),
    fault('a key taken from the query', 'getNote', 'misplaced-credential-accepted', {
      request({ url, headers }) {
        const key = /[?&]X-Key=([^&]+)/.exec(url)?.[1];
        if (key !== undefined) headers['x-key'] = key;
      },
    }),
    fault('401 without a challenge', 'deleteItem', 'challenge-missing', {
      answer: (answer) => void delete answer.headers['www-authenticate'],
    }),
    fault('401 without a challenge where a key is asked for', 'getNote', 'challenge-missing', {
      answer: (answer) => void delete answer.headers['www-authenticate'],
    }),
  ],
  'one credential of two': [
    fault('the scopes of one of two credentials ignored', 'replaceBox', 'scope-ignored', {
      document(document) {
        operationAt(document, '/boxes', 'put').security = [{ oauth: [], key: [] }];
      },
    }),
  ],
  'a key beside a token': [
    fault('one of two credentials not asked for', 'replaceBox', 'authentication-missing', {
      place: 'no credential for key',
      document(document) {
        operationAt(document, '/boxes', 'put').security = [{ oauth: ['write:items'] }];
      },
    }),
  ],
  'any credential': [
    fault('a wrong credential accepted', 'createItem', 'wrong-credential-accepted', {
      acceptsAnyToken: true,
    }),
    fault('a wrong key accepted', 'getNote', 'wrong-credential-accepted', {
      acceptsAnyToken: true,
    }),
  ],
};
