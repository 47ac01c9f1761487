import { createClient, WebhookError, webhooks } from '@vidimus/sdk'
import express from 'express'
import { checkoutHeaders, renderCheckout } from '../checkout-page.ts'

const { VIDIMUS_URL = '', VIDIMUS_API_KEY = '', VIDIMUS_WEBHOOK_SECRET = '', PUBLIC_URL = '' } = process.env
const vidimus = createClient({ baseUrl: VIDIMUS_URL, apiKey: VIDIMUS_API_KEY })

export const app = express()

function createCheck() {
  return vidimus.verifications.create({
    template: 'age_over_18',
    purpose: 'Age check for your order',
    webhook_url: `${PUBLIC_URL}/webhooks/vidimus`,
  })
}

app.get('/', async (_request, response) => {
  const { id } = await createCheck()
  const verifyUrl = vidimus.verifications.verifyUrl(id)
  response.set(checkoutHeaders(VIDIMUS_URL)).send(renderCheckout(VIDIMUS_URL, { id, verifyUrl }))
})

app.post('/checks', async (_request, response) => {
  const { id, wallet_uri } = await createCheck()
  response.status(201).json({ id, wallet_uri })
})

// The signature covers the raw bytes: use `express.raw` here, and no `express.json` before it.
app.post('/webhooks/vidimus', express.raw({ type: 'application/json' }), async (request, response) => {
  try {
    const event = await webhooks.verify({
      body: request.body,
      headers: request.headers,
      secret: VIDIMUS_WEBHOOK_SECRET,
    })
    if (event.type !== 'webhook.test') console.log(event.type, event.verification.id)
    response.sendStatus(204)
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    response.status(400).send(error.message)
  }
})

if (import.meta.main) app.listen(3000)
