import type { Exchange } from './proxy.ts'

type BodyEdit = (body: Record<string, unknown>) => unknown

export function on(
  method: string,
  path: RegExp,
  alter: (exchange: Exchange) => void,
): (exchange: Exchange) => void {
  return (exchange) => {
    if (exchange.method === method && path.test(exchange.path)) alter(exchange)
  }
}

/** Alters the JSON body of a response. */
export function edit(change: BodyEdit): (exchange: Exchange) => void {
  return (exchange) => {
    const body = JSON.parse(exchange.text)
    change(body)
    exchange.text = JSON.stringify(body)
  }
}

/** Alters every response that is a verification. */
export function onVerification(change: BodyEdit): (exchange: Exchange) => void {
  return (exchange) => {
    const isVerification = exchange.status < 300 && /^\/v1\/verifications(?:\/vs_[^/]+)?$/.test(exchange.path)
    if (isVerification && exchange.method !== 'DELETE')
      edit((body) => ('created_at' in body ? change(body) : 0))(exchange)
  }
}

/** Alters the response from the second identical request on. */
export function fromSecondTime(
  route: RegExp,
  alter: (exchange: Exchange) => void,
): (exchange: Exchange) => void {
  const seen = new Set<string>()
  return (exchange) => {
    const request = `${exchange.method} ${exchange.path}`
    if (!route.test(request)) return
    if (seen.has(request)) alter(exchange)
    seen.add(request)
  }
}

/** Returns the first success again when the same request is repeated. */
export function replaySuccess(route: RegExp): (exchange: Exchange) => void {
  const successes = new Map<string, string>()
  return (exchange) => {
    const request = `${exchange.method} ${exchange.path} ${exchange.sent.body}`
    if (!route.test(`${exchange.method} ${exchange.path}`)) return
    if (exchange.status === 200) successes.set(request, exchange.text)
    else if (successes.has(request)) Object.assign(exchange, { status: 200, text: successes.get(request) })
  }
}

export function replaceStatus(exchange: Exchange, from: number, to: number): void {
  if (exchange.status === from) exchange.status = to
}

export function toText(value: unknown): string {
  return String(value)
}

export function addOneSecond(time: unknown): string {
  const at = toText(time)
  return new Date(Date.parse(at) + 1000).toISOString().slice(0, 19) + at.slice(19)
}

export function toLowerCase(body: Record<string, unknown>, name: string): void {
  if (body[name] !== undefined) body[name] = JSON.parse(JSON.stringify(body[name]).toLowerCase())
}

export function errorEnvelope(code: string): string {
  return JSON.stringify({ error: { code, message: 'no' } })
}
