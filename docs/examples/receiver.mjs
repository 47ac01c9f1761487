// A receiver of webhooks, whole, with nothing to install: it checks the signature of every message before it believes it.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET ?? ''
const port = Number(process.env.RECEIVER_PORT ?? 3000)
const toleranceSeconds = 300

createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    // The very bytes that came: a body that was parsed and written again has another signature.
    const body = Buffer.concat(chunks)
    if (!isGenuine(body, request.headers['x-service-signature'] ?? '')) {
      console.log('refused: the signature is not genuine')
      response.writeHead(400).end()
      return
    }
    // Answer at once, and do what has to be done afterwards. The same event may come twice: its id tells.
    response.writeHead(204).end()
    const { type, verification } = JSON.parse(body.toString())
    console.log(
      `${type} ${request.headers['x-service-event-id']} over 18: ${verification.claims?.age_over_18 ?? 'unknown'}`,
    )
  })
}).listen(port, () => console.log(`The receiver waits at http://localhost:${port}/hook`))

function isGenuine(body, header) {
  const parts = header.split(',').map((part) => part.split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d+$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > toleranceSeconds) return false
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
  return parts
    .filter(([name, value]) => name === 'v1' && /^[0-9a-f]{64}$/.test(value))
    .some(([, value]) => timingSafeEqual(Buffer.from(value, 'hex'), expected))
}
