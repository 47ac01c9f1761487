import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import {
  callService,
  describeFailure,
  findService,
  parseHttpUrl,
  serviceOptions,
  UnavailableError,
  type Service,
} from './call-service.ts'
import { CommandError, UsageError, command, printMessage } from './command.ts'
import { watchNpm } from './run/watch-npm.ts'

const ReadyEvent = z.object({ secret: z.string() })
const DeliveryEvent = z.object({
  id: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
})

const responseTimeout_ms = 10_000
const reconnectDelay_ms = 1000
const maxResponse_bytes = 2048
const maxLine_characters = 200

export const listenCommand = command({
  options: {
    'forward-to': { type: 'string', description: 'your receiver, such as http://localhost:3000/hook' },
    'print-secret': { type: 'boolean', description: 'only print the signing secret, which stays the same' },
    ...serviceOptions,
  },
  async run({ values }) {
    const service = findService(values)
    const id = randomUUID()
    if (values['print-secret']) return printSecret({ service, to: '', id })
    if (values['forward-to'] === undefined) throw new UsageError('--forward-to is missing')
    const to = parseHttpUrl('forward-to', values['forward-to'])
    const stop = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
    watchNpm(() => stop.abort())
    await listen({ service, to, id }, stop.signal)
  },
})

type ListenOptions = { service: Service; to: string; id: string }

/** Forwards events until the signal. A lost connection is opened again; the service keeps missed events for a minute. */
async function listen(options: ListenOptions, signal: AbortSignal): Promise<void> {
  const { service, id } = options
  let announced = false
  while (!signal.aborted) {
    try {
      const response = await callService(service, `/listen/${id}`, { signal })
      for await (const { event, data } of readServerSentEvents(response.body ?? new ReadableStream())) {
        if (event === 'ready' && !announced) {
          announced = true
          printWelcome(options, ReadyEvent.parse(JSON.parse(data)).secret)
        }
        if (event === 'delivery') await forward(options, DeliveryEvent.parse(JSON.parse(data)))
      }
    } catch (error) {
      // Stopped, or the connection was lost. A refusal would only be repeated.
      const refused = error instanceof CommandError && !(error instanceof UnavailableError)
      if (refused || (!announced && !signal.aborted))
        throw error instanceof CommandError
          ? error
          : new CommandError(`Can't connect to ${service.url}: ${describeFailure(error)}.`)
    }
    await sleep(reconnectDelay_ms, undefined, { signal }).catch(() => {})
  }
  await callService(service, `/listen/${id}`, { method: 'DELETE' }).catch(() => {
    // The service removes the listener itself after a minute.
  })
}

/** The first event of the stream contains the secret. */
async function printSecret({ service, id }: ListenOptions): Promise<void> {
  const path = `/listen/${id}`
  const { body } = await callService(service, path, { signal: AbortSignal.timeout(responseTimeout_ms) })
  for await (const { event, data } of readServerSentEvents(body ?? new ReadableStream())) {
    if (event !== 'ready') continue
    process.stdout.write(`${ReadyEvent.parse(JSON.parse(data)).secret}\n`)
    break
  }
  await callService(service, path, { method: 'DELETE' })
}

function printWelcome({ service, to }: ListenOptions, secret: string): void {
  printMessage(`Listening to ${service.url}. Webhooks of test verifications go to ${to}`)
  printMessage('They are signed with your webhook secret, and with this one, which never changes:')
  process.stdout.write(`${secret}\n`)
  printMessage('Ready. Press Ctrl-C to stop.\n')
}

/** Forwards one delivery and reports the outcome to the service. The body is not printed, since it may contain claims. */
async function forward(
  { service, to }: ListenOptions,
  { id, headers, body }: z.infer<typeof DeliveryEvent>,
): Promise<void> {
  const { type } = z.object({ type: z.string() }).parse(JSON.parse(body))
  const started = performance.now()
  const response = await post(to, headers, body)
  const duration_ms = Math.round(performance.now() - started)
  printMessage(
    `${new Date().toISOString().slice(11, 19)} ${type} → ${response.status || response.text}  ${duration_ms} ms  ${headers['x-service-event-id'] ?? ''}`,
  )
  if (response.status !== 0 && response.text !== '') printMessage(`         ${response.text}`)
  await callService(service, '/listen/outcomes', {
    method: 'POST',
    json: { id, status: response.status, duration_ms },
  }).catch((error: unknown) =>
    printMessage(`Could not report the outcome to the service: ${describeFailure(error)}.`),
  )
}

/** The response of the receiver with the first line of its body. Without a response, the status is 0 and the text is the reason. */
type ReceiverResponse = { status: number; text: string }

async function post(to: string, headers: Record<string, string>, body: string): Promise<ReceiverResponse> {
  try {
    // oxlint-disable-next-line no-restricted-globals -- it runs on the developer's machine and calls local addresses
    const response = await fetch(to, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(responseTimeout_ms),
    })
    return { status: response.status, text: await readFirstLine(response) }
  } catch (error) {
    // Refused or timed out: the developer sees the reason, and the service records a failure.
    return { status: 0, text: describeFailure(error) }
  }
}

/** What the receiver says, such as why it rejected a signature. Bounded, and without characters that control a terminal. */
async function readFirstLine({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= maxResponse_bytes) break
  }
  const [line = ''] = Buffer.concat(chunks)
    .toString()
    .trimStart()
    .split(/[\r\n]/, 1)
  return line.replaceAll(/\p{Cc}/gu, '').slice(0, maxLine_characters)
}

export type ServerEvent = { event: string; data: string }

const maxEventLength = 1_000_000

/** The events of a text/event-stream as they arrive, without the comments, which only keep the connection open. */
export async function* readServerSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxEventLength) throw new Error('an event exceeds the maximum length')
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = parse(text.slice(0, end))
      text = text.slice(end + 2)
      if (event !== undefined) yield event
    }
  }
}

function parse(block: string): ServerEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2))
  }
  const event = fields.get('event')
  return event === undefined ? undefined : { event, data: fields.get('data') ?? '' }
}
