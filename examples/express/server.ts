import { WebhookError, webhooks } from '@vidimus/sdk'
import express, { type ErrorRequestHandler } from 'express'
import { checkoutHeaders, renderCheckout } from '../checkout-page.ts'
import { announce, createCheck, explainFailure, port, serviceUrl, webhookSecret } from '../shop.ts'

const app = express()

app.get('/', async (_request, response) => {
  response.set(checkoutHeaders(serviceUrl)).send(renderCheckout(serviceUrl, await createCheck()))
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
      secret: webhookSecret,
    })
    if (event.type === 'verification.completed' || event.type === 'verification.failed')
      console.log(event.type, event.verification.id)
    response.sendStatus(204)
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    response.status(400).send(error.message)
  }
})

// Express knows an error handler by its four parameters.
const respondWithFailure: ErrorRequestHandler = (error, _request, response, next) => {
  const sentence = explainFailure(error)
  if (sentence === undefined) next(error)
  else response.status(502).type('text').send(sentence)
}
app.use(respondWithFailure)

app.listen(port, 'localhost', announce)
