// A complete receiver of webhooks, with nothing to install: it checks the signature of every message before it believes it.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.VIDIMUS_WEBHOOK_SECRET
const port = Number(process.env.RECEIVER_PORT ?? 3000)
const toleranceSeconds = 300

if (!secret) {
  console.error('Set VIDIMUS_WEBHOOK_SECRET to the signing secret of your dashboard, under Webhooks.')
  process.exit(1)
}

createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    // The bytes as they came: a body that was parsed and written again has another signature.
    const body = Buffer.concat(chunks)
    if (!isGenuine(body, request.headers['x-service-signature'] ?? '')) {
      console.log('rejected: the signature does not match VIDIMUS_WEBHOOK_SECRET')
      response.writeHead(400).end('The signature does not match VIDIMUS_WEBHOOK_SECRET.')
      return
    }
    // Answer at once, and do the work afterwards. The same event may come twice: its id tells.
    response.writeHead(204).end()
    const { type, verification } = JSON.parse(body.toString())
    const answer = verification?.claims?.age_over_18 ?? 'unknown'
    console.log(`${type} ${request.headers['x-service-event-id']} over 18: ${answer}`)
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
