const { createServer } = require('node:http');
const { OpenAPIBackend } = require('openapi-backend');

const send = (response, status, body) => {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
};
const api = new OpenAPIBackend({
  definition: './books.yaml',
  handlers: {
    getBook: (context, _request, response) =>
      send(response, 200, { id: context.request.params.id, title: 'Emma' }),
    addBook: (context, _request, response) => send(response, 201, context.request.requestBody),
    validationFail: (context, _request, response) =>
      send(response, 400, { errors: context.validation.errors }),
    notFound: (_context, _request, response) => send(response, 404, {}),
  },
  ajvOpts: { formats: { int64: true } },
});

const bodyOf = async (request) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks));
};

api.init().then(() => {
  createServer(async (request, response) => {
    const { method, url: path, headers } = request;
    await api.handleRequest(
      { method, path, headers, body: await bodyOf(request) },
      request,
      response,
    );
  }).listen(process.env.PORT);
});
