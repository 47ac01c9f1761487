import { createClient, WebhookError, webhooks } from '@vidimus/sdk'
import { fastify } from 'fastify'
import { checkoutHeaders, renderCheckout } from '../checkout-page.ts'

const { VIDIMUS_URL = '', VIDIMUS_API_KEY = '', VIDIMUS_WEBHOOK_SECRET = '', PUBLIC_URL = '' } = process.env
const vidimus = createClient({ baseUrl: VIDIMUS_URL, apiKey: VIDIMUS_API_KEY })

export const app = fastify()

function createCheck() {
  return vidimus.verifications.create({
    template: 'age_over_18',
    purpose: 'Age check for your order',
    webhook_url: `${PUBLIC_URL}/webhooks/vidimus`,
  })
}

app.get('/', async (_request, reply) => {
  const { id } = await createCheck()
  const verifyUrl = vidimus.verifications.verifyUrl(id)
  return reply.headers(checkoutHeaders(VIDIMUS_URL)).send(renderCheckout(VIDIMUS_URL, { id, verifyUrl }))
})

app.post('/checks', async (_request, reply) => {
  const { id, wallet_uri } = await createCheck()
  return reply.code(201).send({ id, wallet_uri })
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
      const event = await webhooks.verify({ body, headers, secret: VIDIMUS_WEBHOOK_SECRET })
      if (event.type !== 'webhook.test') console.log(event.type, event.verification.id)
      return await reply.code(204).send()
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      return reply.code(400).send(error.message)
    }
  })
})

if (import.meta.main) await app.listen({ port: 3000 })
