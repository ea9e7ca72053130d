/** openapi-backend as its own pages show it: the program reads bodies and writes responses, and has one handler for all operations. */

const { readFileSync } = require('node:fs');
const addFormats = require('ajv-formats');
const { JSON_SCHEMA: schema, load } = require('js-yaml');
const { OpenAPIBackend } = require('openapi-backend');
const { version } = require('openapi-backend/package.json');
const qs = require('qs');
const { callerOf, run } = require('./adapter.cjs');

const cannot = {
  'it reads and writes no XML': 'X xml',
  'it reads no OpenAPI 3.2': 'W',
  'it reads no multipart bodies and no octets': 'multipart octet image',
  'the program checks scopes': 'S04 S07 S08 S12 V37',
  'the program names the base path, and answers other methods': 'D12 D14',
  'the program chooses media types, and writes headers and errors': 'R01 R03 R05 R06 R07 S10',
};

const read = async (request) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const isForm = /urlencoded/.test(request.headers['content-type'] ?? '');
  return text === '' ? undefined : isForm ? qs.parse(text) : text;
};

const send = (response, status, body, headers = {}) => {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  response.writeHead(status, { ...type, ...headers }).end(JSON.stringify(body));
};
const answer = (status) => (_context, _request, response) => send(response, status, {});

run(`openapi-backend ${version}`, cannot, async (file, respond) => {
  const definition = load(readFileSync(file, 'utf8'), { schema });
  // Otherwise than quick it serves nothing of a document that its own check does not know.
  const options = { definition, quick: true, coerceTypes: true, ajvOpts: { strict: false } };
  const api = new OpenAPIBackend({ ...options, customizeAjv: (ajv) => addFormats(ajv) && ajv });
  await api.init();
  const handler = ({ operation, request, security = {} }, _request, response) => {
    const { params: path, query, headers: header, cookies: cookie, requestBody } = request;
    const caller = Object.values(security).find((one) => one?.caller)?.caller;
    const given = { operation: operation.operationId, caller, path, query, header, cookie };
    const { status, headers, body } = respond({ ...given, body: requestBody });
    const { errors } = body === undefined ? {} : api.validateResponse(body, operation, status);
    if (errors) send(response, 500, { errors });
    else send(response, status, body, headers);
  };
  for (const { operationId } of api.getOperations()) {
    if (operationId !== undefined) api.register(operationId, handler);
  }
  api.register({
    validationFail: answer(400),
    notFound: answer(404),
    methodNotAllowed: answer(405),
    notImplemented: answer(501),
    unauthorizedHandler: answer(401),
  });
  for (const [name, scheme] of Object.entries(definition.components?.securitySchemes ?? {})) {
    api.registerSecurityHandler(name, ({ request }) => callerOf(scheme, request));
  }
  return async (request, response) => {
    const { method, url: path, headers } = request;
    await api
      .handleRequest({ method, path, headers, body: await read(request) }, request, response)
      .catch(() => send(response, 500, {}));
  };
});
