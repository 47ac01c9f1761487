import { WebhookError, webhooks } from '@vidimus/sdk'
import { webhookSecret } from '../../../../shop.ts'

export async function POST(request: Request): Promise<Response> {
  try {
    const event = await webhooks.verify({
      body: await request.arrayBuffer(),
      headers: request.headers,
      secret: webhookSecret,
    })
    if (event.type === 'verification.completed' || event.type === 'verification.failed')
      console.log(event.type, event.verification.id)
    return new Response(null, { status: 204 })
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    return new Response(error.message, { status: 400 })
  }
}
