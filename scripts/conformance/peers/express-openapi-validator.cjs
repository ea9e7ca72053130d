/** express-openapi-validator as its own pages show it: body parsers of Express in front, and one handler for all operations. */

const cookieParser = require('cookie-parser');
const express = require('express');
const { middleware } = require('express-openapi-validator');
const {
  OpenApiSpecLoader: Loader,
} = require('express-openapi-validator/dist/framework/openapi.spec.loader');
const { version } = require('express-openapi-validator/package.json');
const { callerOf, run } = require('./adapter.cjs');

const cannot = {
  'it reads and writes no XML': 'X xml',
  'it reads no OpenAPI 3.2': 'W',
  'the program chooses media types, and writes headers and errors': 'R01 R03 R05 R06 R07 S10',
};

const authenticate = (request, scopes, scheme) => {
  const { caller, scopes: granted } = callerOf(scheme, request) ?? {};
  request.caller = caller;
  if (scopes.every((scope) => granted?.includes(scope))) return caller !== undefined;
  throw Object.assign(new Error('A scope is missing'), { status: caller ? 403 : 401 });
};

/** The body, with its files where they stand in it. */
const bodyOf = ({ body, files }) => {
  if (!Array.isArray(files)) return body;
  const filled = { ...body };
  for (const { fieldname, buffer } of files) {
    const before = filled[fieldname];
    filled[fieldname] = Array.isArray(before) ? [...before.filter(Boolean), buffer] : buffer;
  }
  return filled;
};

run(`express-openapi-validator ${version}`, cannot, async (file, respond) => {
  const options = { apiDoc: file, validateApiSpec: true, $refParser: { mode: 'bundle' } };
  const { apiDoc } = await new Loader(options).load();
  const schemes = Object.keys(apiDoc.components?.securitySchemes ?? {});
  const handlers = Object.fromEntries(schemes.map((name) => [name, authenticate]));
  const app = express();
  app.enable('case sensitive routing').enable('strict routing');
  app.use(cookieParser());
  app.use(express.json({ strict: false, type: ['json', '+json'] }));
  app.use(express.urlencoded({ extended: true }));
  app.use(express.text({ type: 'text/*' }));
  app.use(express.raw({ type: ['application/octet-stream', 'image/*'] }));
  // Forms are not read without coerceTypes; the specification forbids no unknown query parameters.
  const validateRequests = { coerceTypes: true, allowUnknownQueryParameters: true };
  const checks = { validateRequests, validateResponses: true, validateSecurity: { handlers } };
  app.use(middleware({ apiSpec: file, ...checks }));
  app.use((request, response, next) => {
    const { query, headers: header, cookies: cookie, openapi, caller } = request;
    if (openapi === undefined) return next({ status: 404 });
    const { schema, pathParams: path } = openapi;
    const given = { operation: schema.operationId, caller, path, query, header, cookie };
    const { status, headers = {}, body } = respond({ ...given, body: bodyOf(request) });
    response.status(status).set(headers);
    return body === undefined ? response.end() : response.json(body);
  });
  app.use(({ status = 500, headers = {}, errors }, _request, response, _next) => {
    response.status(status).set(headers).json({ errors });
  });
  return app;
});
