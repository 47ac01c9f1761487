import { fastify } from 'fastify'

/** The baseline for benchmarks: a Fastify route that returns the same constant through a similar schema, and nothing else. */
const app = fastify()
app.get(
  '/v1/probe',
  {
    schema: {
      response: {
        200: {
          type: 'object',
          properties: { ok: { type: 'boolean' }, note: { type: 'string' } },
          required: ['ok'],
          additionalProperties: false,
        },
      },
    },
  },
  async () => ({ ok: true }),
)
process.stdout.write(`Fastify answers at ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
