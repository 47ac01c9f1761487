import { createClient, WebhookError, webhooks } from '@vidimus/sdk'
import { Hono } from 'hono'
import { checkoutHeaders, renderCheckout } from '../checkout-page.ts'

const { VIDIMUS_URL = '', VIDIMUS_API_KEY = '', VIDIMUS_WEBHOOK_SECRET = '', PUBLIC_URL = '' } = process.env
const vidimus = createClient({ baseUrl: VIDIMUS_URL, apiKey: VIDIMUS_API_KEY })

export const app = new Hono()

function createCheck() {
  return vidimus.verifications.create({
    template: 'age_over_18',
    purpose: 'Age check for your order',
    webhook_url: `${PUBLIC_URL}/webhooks/vidimus`,
  })
}

app.get('/', async (c) => {
  const { id } = await createCheck()
  const verifyUrl = vidimus.verifications.verifyUrl(id)
  return c.body(renderCheckout(VIDIMUS_URL, { id, verifyUrl }), 200, checkoutHeaders(VIDIMUS_URL))
})

app.post('/checks', async (c) => {
  const { id, wallet_uri } = await createCheck()
  return c.json({ id, wallet_uri }, 201)
})

app.post('/webhooks/vidimus', async (c) => {
  try {
    const event = await webhooks.verify({
      body: await c.req.arrayBuffer(),
      headers: c.req.raw.headers,
      secret: VIDIMUS_WEBHOOK_SECRET,
    })
    if (event.type !== 'webhook.test') console.log(event.type, event.verification.id)
    return c.body(null, 204)
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    return c.text(error.message, 400)
  }
})

// Workers, Bun and Deno serve `app.fetch`; on Node, use @hono/node-server.
