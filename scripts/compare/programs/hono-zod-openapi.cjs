const { serve } = require('@hono/node-server');
const { OpenAPIHono, createRoute, z } = require('@hono/zod-openapi');

const Book = z.object({
  id: z.number().int(),
  title: z.string().min(1).max(100),
  tags: z.array(z.string()).max(10).optional(),
});
const json = (schema) => ({ content: { 'application/json': { schema } }, description: 'The book' });
const params = z.object({ id: z.coerce.number().int().min(1) });
const app = new OpenAPIHono();
app.openapi(
  createRoute({
    method: 'get',
    path: '/books/{id}',
    request: { params },
    responses: { 200: json(Book) },
  }),
  (context) => context.json({ id: context.req.valid('param').id, title: 'Emma' }),
);
app.openapi(
  createRoute({
    method: 'post',
    path: '/books',
    request: { body: { ...json(Book), required: true } },
    responses: { 201: json(Book) },
  }),
  (context) => context.json(context.req.valid('json'), 201),
);
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
