import { Client } from 'pg'

/** Rewrites every statement that this process sends from now on. For runs that break the service on purpose. */
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
