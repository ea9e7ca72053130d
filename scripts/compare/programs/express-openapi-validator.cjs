const express = require('express');
const { middleware } = require('express-openapi-validator');

const app = express();
app.use(express.json());
app.use(middleware({ apiSpec: './books.yaml', validateRequests: true }));
app.get('/books/:id', ({ params }, response) => response.json({ id: params.id, title: 'Emma' }));
app.post('/books', ({ body }, response) => response.status(201).json(body));
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ errors: error.errors });
});
app.listen(process.env.PORT);
