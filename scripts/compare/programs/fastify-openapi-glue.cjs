const fastify = require('fastify');

import('fastify-openapi-glue').then(async ({ default: openapiGlue }) => {
  const app = fastify({ ajv: { customOptions: { strict: false, removeAdditional: false } } });
  const serviceHandlers = {
    getBook: async ({ params }) => ({ id: params.id, title: 'Emma' }),
    addBook: async ({ body }, reply) => reply.code(201).send(body),
  };
  await app.register(openapiGlue, { specification: './books.yaml', serviceHandlers });
  await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
});
