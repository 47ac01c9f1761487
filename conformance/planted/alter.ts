import type { Exchange } from './proxy.ts'

type Edit = (body: Record<string, unknown>) => unknown

export function on(
  method: string,
  path: RegExp,
  alter: (exchange: Exchange) => void,
): (exchange: Exchange) => void {
  return (exchange) => {
    if (exchange.method === method && path.test(exchange.path)) alter(exchange)
  }
}

/** Alters the JSON of an answer. */
export function edit(change: Edit): (exchange: Exchange) => void {
  return (exchange) => {
    const body = JSON.parse(exchange.text)
    change(body)
    exchange.text = JSON.stringify(body)
  }
}

/** Every answer that is a verification. */
export function onVerification(change: Edit): (exchange: Exchange) => void {
  return (exchange) => {
    const single = exchange.status < 300 && /^\/v1\/verifications(?:\/vs_[^/]+)?$/.test(exchange.path)
    if (single && exchange.method !== 'DELETE')
      edit((body) => ('created_at' in body ? change(body) : 0))(exchange)
  }
}

/** From the second time that the same thing is asked. */
export function once(route: RegExp, alter: (exchange: Exchange) => void): (exchange: Exchange) => void {
  const seen = new Set<string>()
  return (exchange) => {
    const asked = `${exchange.method} ${exchange.path}`
    if (!route.test(asked)) return
    if (seen.has(asked)) alter(exchange)
    seen.add(asked)
  }
}

/** Whoever asks the same again gets the success that was given before. */
export function remember(route: RegExp): (exchange: Exchange) => void {
  const given = new Map<string, string>()
  return (exchange) => {
    const asked = `${exchange.method} ${exchange.path} ${exchange.sent.body}`
    if (!route.test(`${exchange.method} ${exchange.path}`)) return
    if (exchange.status === 200) given.set(asked, exchange.text)
    else if (given.has(asked)) Object.assign(exchange, { status: 200, text: given.get(asked) })
  }
}

export function status(exchange: Exchange, from: number, to: number): void {
  if (exchange.status === from) exchange.status = to
}

export function text(value: unknown): string {
  return String(value)
}

export function later(time: unknown): string {
  const at = text(time)
  return new Date(Date.parse(at) + 1000).toISOString().slice(0, 19) + at.slice(19)
}

export function lower(body: Record<string, unknown>, name: string): void {
  if (body[name] !== undefined) body[name] = JSON.parse(JSON.stringify(body[name]).toLowerCase())
}

export function envelope(code: string): string {
  return JSON.stringify({ error: { code, message: 'no' } })
}
