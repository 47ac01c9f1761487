import { WebhookError, webhooks } from '@vidimus/sdk'
import { fastify } from 'fastify'
import { checkoutHeaders, renderCheckout } from '../checkout-page.ts'
import { announce, createCheck, explainFailure, port, serviceUrl, webhookSecret } from '../shop.ts'

const app = fastify()

app.get('/', async (_request, reply) =>
  reply.headers(checkoutHeaders(serviceUrl)).send(renderCheckout(serviceUrl, await createCheck())),
)

app.post('/checks', async (_request, reply) => {
  const { id, wallet_uri } = await createCheck()
  return reply.code(201).send({ id, wallet_uri })
})

app.setErrorHandler((error, _request, reply) => {
  const sentence = explainFailure(error)
  if (sentence === undefined) throw error
  return reply.code(502).type('text/plain; charset=utf-8').send(sentence)
})

// The signature covers the raw bytes. A separate scope leaves JSON parsing on for all other routes.
app.register(async (scope) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )

  scope.post<{ Body: Buffer }>('/webhooks/vidimus', async (request, reply) => {
    try {
      const { body, headers } = request
      const event = await webhooks.verify({ body, headers, secret: webhookSecret })
      if (event.type === 'verification.completed' || event.type === 'verification.failed')
        console.log(event.type, event.verification.id)
      return await reply.code(204).send()
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      return reply.code(400).send(error.message)
    }
  })
})

app.listen({ port, host: 'localhost' }, announce)
