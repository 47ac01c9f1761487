import { Client } from 'pg'

/** From now on every statement of this process is sent as `rewrite` leaves it. For runs that spoil the service on purpose. */
export function rewriteStatements(rewrite: (text: string) => string): void {
  // oxlint-disable-next-line typescript/unbound-method -- it is applied to the client that it was called on
  const { query } = Client.prototype
  Object.assign(Client.prototype, {
    query(this: Client, given: unknown, ...rest: unknown[]): unknown {
      const sent = hasText(given) ? { ...given, text: rewrite(given.text) } : given
      return Reflect.apply(query, this, [sent, ...rest])
    },
  })
}

function hasText(given: unknown): given is { text: string } {
  return typeof given === 'object' && given !== null && 'text' in given && typeof given.text === 'string'
}
