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
    {
      name: 'a required property unchecked',
      operation: 'setLimits',
      rule: 'invalid-accepted',
      place: 'body/count missing',
      document: (document) => delete limits(document).required,
    },
    {
      name: 'additionalProperties unchecked',
      operation: 'setLimits',
      rule: 'invalid-accepted',
      place: 'though no such property',
      document: (document) => delete limits(document).additionalProperties,
    },
    {
      name: 'maxProperties unchecked',
      operation: 'setLimits',
      rule: 'invalid-accepted',
      place: 'too many properties',
      document: (document) => delete limits(document).maxProperties,
    },
  ],
  'styles of parameters': [
    {
      name: 'a pipe-delimited list taken for a comma-separated one',
      operation: 'searchItems',
      rule: 'valid-refused',
      place: 'query colors',
      document(document) {
        parameter(document, '/search', 'colors').style = 'form';
      },
    },
  ],
  'checks of parameters': [
    {
      name: 'a required query parameter unchecked',
      operation: 'searchItems',
      rule: 'invalid-accepted',
      place: '"top" missing',
      document(document) {
        parameter(document, '/search', 'top').required = false;
      },
    },
    {
      name: 'the maximum of a query parameter unchecked',
      operation: 'searchItems',
      rule: 'invalid-accepted',
      place: '"top" above',
      document: (document) => delete parameter(document, '/search', 'top').schema.maximum,
    },
    {
      name: 'a property of a deepObject unchecked',
      operation: 'searchItems',
      rule: 'invalid-accepted',
      place: '"range"/low',
      document: (document) =>
        delete parameter(document, '/search', 'range').schema.properties.low.minimum,
    },
    {
      name: 'the pattern of a header unchecked',
      operation: 'listItems',
      rule: 'invalid-accepted',
      place: '"X-Trace" against',
      document: (document) => delete parameter(document, '/items', 'X-Trace').schema.pattern,
    },
    {
      name: 'the minimum of a form field unchecked',
      operation: 'createNote',
      rule: 'invalid-accepted',
      place: 'body/stars below',
      document: (document) => delete document.components.schemas.Note.properties.stars.minimum,
    },
  ],
  'storage: digits, lists, removal': [
    {
      name: 'int64 through a double',
      operation: 'createItem',
      rule: 'value-changed',
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
    },
    {
      name: 'a list without what was created',
      operation: 'listItems',
      rule: 'created-not-listed',
      shop(shop) {
        const list = shop.list.bind(shop);
        shop.list = () => list().slice(0, 1);
      },
    },
    {
      name: 'DELETE deletes nothing',
      operation: 'getItem',
      rule: 'deleted-still-there',
      shop(shop) {
        shop.remove = () => undefined;
      },
    },
    {
      name: 'PUT stores nothing',
      operation: 'getItem',
      rule: 'update-lost',
      shop(shop) {
        shop.replace = (id, body) => ({ ...body, id });
      },
    },
  ],
  'storage: optional properties': [
    {
      name: 'POST drops an optional property',
      operation: 'createItem',
      rule: 'value-changed',
      place: '/color',
      shop(shop) {
        const create = shop.create.bind(shop);
        shop.create = (body) => create({ ...body, color: undefined });
      },
    },
    {
      name: 'PUT drops an optional property',
      operation: 'getItem',
      rule: 'value-changed',
      place: '/made',
      shop(shop) {
        const replace = shop.replace.bind(shop);
        shop.replace = (id, body) => {
          replace(id, { ...body, made: undefined });
          return { ...body, id };
        };
      },
    },
  ],
  'storage: optional properties at a collection': [
    {
      name: 'PUT drops an optional property of what its body names',
      operation: 'getBox',
      rule: 'value-changed',
      place: '/size',
      request(request) {
        if (!isAt(request, 'PUT /boxes')) return;
        request.body = request.body.replace(/,?"size":\{[^}]*\}/, '');
      },
    },
  ],
  'storage: nothing': [
    {
      name: 'POST stores nothing',
      operation: 'getItem',
      rule: 'created-not-found',
      shop(shop) {
        const items = new Map(shop.items);
        shop.store = (one) => void items.set(one.id, one);
      },
    },
  ],
  'directions and XML': [
    {
      name: 'writeOnly leaked',
      operation: 'createItem',
      rule: 'write-only-sent',
      place: '/secret',
      document: (document) => delete item(document).secret.writeOnly,
    },
    {
      name: 'readOnly accepted',
      operation: 'createItem',
      rule: 'read-only-accepted',
      place: 'id',
      document: (document) => delete item(document).id.readOnly,
    },
    {
      name: 'an element misnamed',
      operation: 'getItem',
      rule: 'xml-differs',
      place: '/color',
      document(document) {
        item(document).color = { type: 'string', xml: { name: 'colour' } };
      },
    },
  ],
  'XML: structure': [
    {
      name: 'a list not wrapped',
      operation: 'getItem',
      rule: 'xml-differs',
      place: '/tags',
      answer: changed(`GET ${anItem}`, (answer) => {
        answer.body = answer.body.replaceAll(/<\/?tags>/g, '');
      }),
    },
    {
      name: 'an attribute as an element',
      operation: 'getItem',
      rule: 'xml-differs',
      place: '/price',
      answer: changed(`GET ${anItem}`, (answer) => {
        answer.body = answer.body.replaceAll(/<(\/?)price>/g, '<$1cost>');
      }),
    },
  ],
  'answers: bodies': [
    {
      name: 'another status',
      operation: 'createItem',
      rule: 'undeclared-status',
      answer: changed('POST /items', (answer) => {
        answer.status = 202;
      }),
    },
    {
      name: 'a missing property',
      operation: 'getItem',
      rule: 'body-invalid',
      place: '/name',
      answer: changedJson(`GET ${anItem}`, /"name":"[^"]*",?/g, ''),
    },
    {
      name: 'a property of another type',
      operation: 'listItems',
      rule: 'body-invalid',
      place: '/*/price',
      answer: changedJson('GET /items', /"price":([^,}]+)/g, '"price":"$1"'),
    },
    {
      name: 'a malformed body',
      operation: 'setLimits',
      rule: 'body-malformed',
      answer: changed('PUT /limits', (answer) => {
        answer.body = `${answer.body.slice(0, -1)},`;
      }),
    },
    {
      name: 'no body',
      operation: 'createNote',
      rule: 'body-missing',
      answer: changed('POST /notes', (answer) => {
        answer.body = '';
      }),
    },
    {
      name: 'another Content-Type',
      operation: 'searchItems',
      rule: 'undeclared-content-type',
      answer: changed('GET /search', (answer) => {
        answer.headers['content-type'] = 'text/html';
      }),
    },
    {
      name: 'Accept ignored',
      operation: 'replaceItem',
      rule: 'accept-ignored',
      request(request) {
        if (isAt(request, `PUT ${anItem}`)) request.headers['accept'] = 'application/json';
      },
    },
    {
      name: 'a missing header',
      operation: 'getHealth',
      rule: 'header-missing',
      place: 'X-Uptime',
      answer: changed('GET /health', (answer) => delete answer.headers['x-uptime']),
    },
  ],
  'answers: messages': [
    {
      name: 'a header of another type',
      operation: 'getHealth',
      rule: 'header-invalid',
      place: 'X-Uptime',
      answer: changed('GET /health', (answer) => {
        answer.headers['x-uptime'] = 'long';
      }),
    },
    {
      name: 'no Content-Type',
      operation: 'setLimits',
      rule: 'content-type-missing',
      answer: changed('PUT /limits', (answer) => delete answer.headers['content-type']),
    },
    {
      name: '204 with a body',
      operation: 'deleteItem',
      rule: 'body-not-allowed',
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
    },
    {
      name: '500 at a boundary',
      operation: 'searchItems',
      rule: 'server-error',
      answer: changed('GET /search', (answer, { url }) => {
        if (/top=50(?:&|$)/.test(url)) answer.status = 500;
      }),
    },
    {
      name: '500 at text that is not ASCII',
      operation: 'createNote',
      rule: 'server-error',
      answer: changed('POST /notes', (answer, { body }) => {
        if (/[\u0080-\u00ff]|%[C-F]/.test(body)) answer.status = 500;
      }),
    },
    {
      name: 'the connection dropped',
      operation: 'listItems',
      rule: 'no-response',
      message({ method, url }, response) {
        if (method !== 'GET' || !/^\/items\?.*color=green/.test(url ?? '')) return false;
        response.socket?.destroy();
        return true;
      },
    },
  ],
  'methods and media types': [
    {
      name: 'HEAD with another status',
      operation: 'getHealth',
      rule: 'head-differs',
      answer(answer, { method, url }) {
        if (method === 'HEAD' && url === '/health') answer.status = 400;
      },
    },
    {
      name: '405 without Allow',
      operation: 'searchItems',
      rule: 'allow-missing',
      answer(answer, { url }) {
        if (url.startsWith('/search')) delete answer.headers['allow'];
      },
    },
    {
      name: 'Allow without a method',
      operation: 'getItem',
      rule: 'allow-incomplete',
      answer(answer, { url }) {
        if (answer.status === 405 && url.startsWith('/items/')) answer.headers['allow'] = 'PUT';
      },
    },
    {
      name: 'an undeclared method answered',
      operation: 'setLimits',
      rule: 'undeclared-method-accepted',
      answer(answer, { method, url }) {
        if (method === 'DELETE' && url === '/limits') answer.status = 200;
      },
    },
    {
      name: 'any media type taken',
      operation: 'createItem',
      rule: 'undeclared-media-type-accepted',
      request(request) {
        if (isAt(request, 'POST /items') && request.body.startsWith('{')) {
          request.headers['content-type'] = 'application/json';
        }
      },
    },
  ],
  security: [
    {
      name: 'no authentication',
      operation: 'replaceItem',
      rule: 'authentication-missing',
      document(document) {
        operationAt(document, '/items/{id}', 'put').security = [];
      },
    },
    {
      name: 'scopes ignored',
      operation: 'createItem',
      rule: 'scope-ignored',
      document(document) {
        operationAt(document, '/items', 'post').security = [{ oauth: [] }];
      },
    },
    {
      name: 'a key taken from the query',
      operation: 'getNote',
      rule: 'misplaced-credential-accepted',
      request({ url, headers }) {
        const key = /[?&]X-Key=([^&]+)/.exec(url)?.[1];
        if (key !== undefined) headers['x-key'] = key;
      },
    },
    {
      name: '401 without a challenge',
      operation: 'deleteItem',
      rule: 'challenge-missing',
      answer: (answer) => void delete answer.headers['www-authenticate'],
    },
    {
      name: '401 without a challenge where a key is asked for',
      operation: 'getNote',
      rule: 'challenge-missing',
      answer: (answer) => void delete answer.headers['www-authenticate'],
    },
  ],
  'any credential': [
    {
      name: 'a wrong credential accepted',
      operation: 'createItem',
      rule: 'wrong-credential-accepted',
      acceptsAnyToken: true,
    },
    {
      name: 'a wrong key accepted',
      operation: 'getNote',
      rule: 'wrong-credential-accepted',
      acceptsAnyToken: true,
    },
  ],
};
