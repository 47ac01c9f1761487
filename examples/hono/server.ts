import { WebhookError, webhooks } from '@vidimus/sdk'
import { Hono } from 'hono'
import { checkoutHeaders, renderCheckout } from '../checkout-page.ts'
import { serveOnNode } from '../serve-on-node.ts'
import { createCheck, explainFailure, serviceUrl, webhookSecret } from '../shop.ts'

const app = new Hono()

app.get('/', async (c) =>
  c.body(renderCheckout(serviceUrl, await createCheck()), 200, checkoutHeaders(serviceUrl)),
)

app.post('/checks', async (c) => {
  const { id, wallet_uri } = await createCheck()
  return c.json({ id, wallet_uri }, 201)
})

app.post('/webhooks/vidimus', async (c) => {
  try {
    const event = await webhooks.verify({
      body: await c.req.arrayBuffer(),
      headers: c.req.raw.headers,
      secret: webhookSecret,
    })
    if (event.type === 'verification.completed' || event.type === 'verification.failed')
      console.log(event.type, event.verification.id)
    return c.body(null, 204)
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    return c.text(error.message, 400)
  }
})

app.onError((error, c) => {
  const sentence = explainFailure(error)
  if (sentence === undefined) throw error
  return c.text(sentence, 502)
})

// Workers, Bun and Deno serve `app.fetch` themselves; on Node you would use @hono/node-server.
serveOnNode((request) => app.fetch(request))
