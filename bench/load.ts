import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Options of the load generator. */
export type Load = {
  port: number
  connections: number
  seconds: number
  method: 'GET' | 'POST' | 'DELETE'
  /** Used in turn. */
  paths: readonly string[]
  /** Bearer tokens, used in turn. If empty, none is sent. */
  keys: readonly string[]
  body?: string
  /** Form bodies, one per path. Every path is then called once, and the load ends with the last. */
  forms?: string[]
  /** Ends the load after this number of requests. */
  requests?: number
  idempotent?: boolean
  /** The fixed rate at which requests are due; if absent, each connection sends the next request as soon as it gets a response. */
  per_second?: number
  /** The status of a successful response. */
  expect: number
}

export type LoadResult = {
  /** All successful requests, also those while connections were opened. */
  count: number
  rate: number
  p50_ms: number
  p99_ms: number
  other: Record<string, number>
}

/** Connections, plans and the compiler warm up in this time, or in this share of a number of requests. */
const uncounted = { ms: 1000, share: 0.1 }

/**
 * Sends requests over keep-alive connections, one at a time on each. With a fixed rate, a response's time is counted from when its
 * request was due: what waits for a free connection has waited.
 */
export async function sendLoad({ connections, seconds, ...how }: Load): Promise<LoadResult> {
  const durations_ms: number[] = []
  const other: Record<string, number> = {}
  const max = how.requests ?? how.forms?.length
  const startedAt = performance.now()
  const end = startedAt + seconds * 1000
  const isCounted = (turn: number, due: number) =>
    max === undefined ? due >= startedAt + uncounted.ms : turn > max * uncounted.share
  let countedFrom: number | undefined
  let [sent, count] = [0, 0]
  await Promise.all(Array.from({ length: connections }, () => sendRequests()))
  const spent_seconds = (performance.now() - (countedFrom ?? startedAt)) / 1000
  durations_ms.sort((a, b) => a - b)
  const at = (part: number) =>
    Number((durations_ms[Math.floor(durations_ms.length * part)] ?? Number.NaN).toFixed(2))
  return { count, rate: durations_ms.length / spent_seconds, p50_ms: at(0.5), p99_ms: at(0.99), other }

  async function sendRequests(): Promise<void> {
    const socket = connect({ port: how.port, host: '127.0.0.1', noDelay: true })
    while (performance.now() < end && sent < (max ?? Number.POSITIVE_INFINITY)) {
      const turn = (sent += 1)
      const due =
        how.per_second === undefined ? performance.now() : startedAt + (turn / how.per_second) * 1000
      await sleepUntil(due)
      if (isCounted(turn, due)) countedFrom ??= due
      const status = await exchange(socket, requestText(how, turn))
      if (status !== how.expect) other[status] = (other[status] ?? 0) + 1
      else {
        count += 1
        if (isCounted(turn, due)) durations_ms.push(performance.now() - due)
      }
    }
    socket.destroy()
  }
}

async function sleepUntil(due: number): Promise<void> {
  const early_ms = due - performance.now()
  if (early_ms > 0) await sleep(early_ms)
}

function requestText(
  { method, paths, keys, body, forms, idempotent }: Omit<Load, 'connections' | 'seconds'>,
  turn: number,
): string {
  const lines = [`${method} ${paths[turn % paths.length]} HTTP/1.1`, 'host: bench']
  if (keys.length > 0) lines.push(`authorization: Bearer ${keys[turn % keys.length]}`)
  if (idempotent === true) lines.push(`idempotency-key: ${process.pid}-${turn}-${Math.random()}`)
  const sent = forms?.[turn % forms.length] ?? body
  if (sent !== undefined) {
    lines.push(
      `content-type: ${forms === undefined ? 'application/json' : 'application/x-www-form-urlencoded'}`,
    )
    lines.push(`content-length: ${Buffer.byteLength(sent)}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n${sent ?? ''}`
}

/** Sends a request and reads the whole response, which must have a Content-Length. */
function exchange(socket: Socket, text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let response = ''
    const onData = (chunk: Buffer) => {
      response += chunk.toString('latin1')
      const head = response.indexOf('\r\n\r\n')
      if (head === -1) return
      const length = Number(/content-length: (\d+)/i.exec(response.slice(0, head))?.[1])
      if (response.length < head + 4 + length) return
      socket.off('data', onData).off('error', reject)
      resolve(Number(response.slice(9, 12)))
    }
    socket.on('data', onData).once('error', reject)
    socket.write(text)
  })
}
