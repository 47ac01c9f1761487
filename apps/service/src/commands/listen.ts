import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { developerVariables } from '../config.ts'
import { command, CommandFailed, say, WrongUsage } from './command.ts'
import { readEvents } from './listen/read-events.ts'

const Ready = z.object({ secret: z.string() })
const Delivery = z.object({ id: z.string(), headers: z.record(z.string(), z.string()), body: z.string() })

const answer_ms = 10_000
const comeBack_ms = 1000

export const listenCommand = command({
  summary:
    'Forwards what becomes of test verifications to your own machine, signed with the secret it prints.',
  options: {
    'forward-to': { type: 'string', means: 'such as http://localhost:3000/hook' },
    'print-secret': { type: 'boolean', means: 'only print the secret that signs, which stays the same' },
    key: { type: 'string', means: 'a test key with verifications:read; VIDIMUS_KEY when absent' },
    url: { type: 'string', means: 'the service; VIDIMUS_URL, or http://localhost:8080, when absent' },
  },
  async run({ values }) {
    const known = developerVariables()
    const key = values.key ?? known.key
    if (key === undefined) throw new WrongUsage('--key is missing')
    const service = addressOf('url', values.url ?? known.url).replace(/\/$/, '')
    const id = randomUUID()
    if (values['print-secret']) return printSecret({ service, key, to: '', id })
    if (values['forward-to'] === undefined) throw new WrongUsage('--forward-to is missing')
    const to = addressOf('forward-to', values['forward-to'])
    const stop = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
    await listen({ service, key, to, id }, stop.signal)
  },
})

type Listening = { service: string; key: string; to: string; id: string }

/** Until it is told to stop. A line that breaks is opened again; the service keeps for a minute what was missed. */
async function listen(listening: Listening, signal: AbortSignal): Promise<void> {
  const { service, id } = listening
  let told = false
  while (!signal.aborted) {
    try {
      const response = await ask(listening, `/listen/${id}`, { signal })
      for await (const { event, data } of readEvents(response.body ?? new ReadableStream())) {
        if (event === 'ready' && !told) {
          told = true
          welcome(listening, Ready.parse(JSON.parse(data)).secret)
        }
        if (event === 'delivery') await forward(listening, Delivery.parse(JSON.parse(data)))
      }
    } catch (error) {
      // Told to stop, or the line broke. What the service refused will be refused again.
      if (error instanceof CommandFailed) throw error
      if (!told && !signal.aborted) throw new CommandFailed(`${service} does not answer: ${reasonOf(error)}.`)
    }
    await sleep(comeBack_ms, undefined, { signal }).catch(() => {})
  }
  await ask(listening, `/listen/${id}`, { method: 'DELETE' }).catch(() => {
    // The service forgets a listener by itself, a minute later.
  })
}

/** The secret comes with the opened line. */
async function printSecret(listening: Listening): Promise<void> {
  const path = `/listen/${listening.id}`
  const { body } = await ask(listening, path, { signal: AbortSignal.timeout(answer_ms) })
  for await (const { event, data } of readEvents(body ?? new ReadableStream())) {
    if (event !== 'ready') continue
    process.stdout.write(`${Ready.parse(JSON.parse(data)).secret}\n`)
    break
  }
  await ask(listening, path, { method: 'DELETE' })
}

function welcome({ service, to }: Listening, secret: string): void {
  say(`Listening to ${service}: what becomes of its test verifications goes to ${to}`)
  say('Signed with this secret, which stays the same for your tenant:')
  process.stdout.write(`${secret}\n`)
  say('Ready. Ctrl-C ends it.\n')
}

/** Hands one on, and tells the service what came back. What it holds is not shown: it may be claims. */
async function forward(listening: Listening, { id, headers, body }: z.infer<typeof Delivery>): Promise<void> {
  const { type } = z.object({ type: z.string() }).parse(JSON.parse(body))
  const started = performance.now()
  const status = await post(listening.to, headers, body)
  const duration_ms = Math.round(performance.now() - started)
  const outcome = typeof status === 'number' ? String(status) : status.reason
  say(
    `${new Date().toISOString().slice(11, 19)} ${type} → ${outcome}  ${duration_ms} ms  ${headers['x-service-event-id'] ?? ''}`,
  )
  await ask(listening, '/listen/outcomes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, status: typeof status === 'number' ? status : 0, duration_ms }),
  }).catch((error: unknown) => say(`The service was not told of it: ${reasonOf(error)}.`))
}

async function post(
  to: string,
  headers: Record<string, string>,
  body: string,
): Promise<number | { reason: string }> {
  try {
    // oxlint-disable-next-line no-restricted-globals -- it runs on the developer's machine, whose addresses are the point
    const answer = await fetch(to, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(answer_ms),
    })
    await answer.body?.cancel()
    return answer.status
  } catch (error) {
    // Nobody there, or no answer in time: the developer sees which, and the service that it failed.
    return { reason: reasonOf(error) }
  }
}

type Ask = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }

async function ask({ service, key }: Listening, path: string, init: Ask): Promise<Response> {
  // oxlint-disable-next-line no-restricted-globals -- likewise: this is a client of the service
  const answer = await fetch(service + path, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${key}` },
  })
  if (answer.ok) return answer
  const message = messageOf(await answer.text())
  // Stopping or overloaded: worth coming back to. Whatever else it refuses it will refuse again.
  if (answer.status >= 500) throw new Error(message)
  throw new CommandFailed(`${service} refuses: ${message}`)
}

function messageOf(text: string): string {
  const { data } = z.object({ error: z.object({ message: z.string() }) }).safeParse(parsed(text))
  return data?.error.message ?? 'this is no Vidimus that knows `listen`.'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy's own page, say.
    return undefined
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}

function addressOf(option: string, given: string): string {
  const url = URL.parse(given)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new WrongUsage(`--${option} must be an http or https address`)
  return url.href
}
