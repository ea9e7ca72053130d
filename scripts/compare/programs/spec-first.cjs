const { createServer } = require('node:http');
const { openApiRouter } = require('spec-first');

const handlers = {
  getBook: ({ path }) => ({ status: 200, body: { id: path.id, title: 'Emma' } }),
  addBook: ({ body }) => ({ status: 201, body }),
};

openApiRouter('books.yaml', handlers).then((router) =>
  createServer(router).listen(process.env.PORT),
);
