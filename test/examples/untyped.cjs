/** The books in a program of CommonJS without types; its operations without a handler answer a mock. */

const { createServer } = require('node:http');
const { openApiRouter } = require('spec-first');

const handlers = {
  getBook: ({ path, fail }) => {
    if (path.id !== 9007199254740993n) throw fail(404);
    return { status: 200, body: { id: path.id, title: 'Emma', author: 'Jane Austen' } };
  },
};
const librarian = { username: undefined, subject: 'librarian', scopes: [], credentialId: 'key-1' };
const securityHandlers = {
  apiKey: async (key) => (key === process.env.API_KEY ? librarian : undefined),
};

openApiRouter('books.yaml', handlers, securityHandlers, { mocks: true }).then((router) => {
  const server = createServer(router);
  server.listen(process.env.PORT ?? 3000, () => console.log(server.address()));
});
