import { openWallet } from '../../../apps/service/test/wallet.ts'
import type { Cluster } from '../start-cluster.ts'
import { clientTimeout_ms, type AttemptLog } from './attempts.ts'

/** Wallets of holders: each request is recorded by itself. */
export async function openWallets({ ctx, address }: Pick<Cluster, 'ctx' | 'address'>, attempts: AttemptLog) {
  const tries = new Map<string, number>()
  /** A response that was stored although its wallet did not hear of it is not accepted again. */
  const isStored = (id: string, status: number) =>
    status === 200 || (status === 409 && (tries.get(id) ?? 0) > 1)

  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const id = /vs_[\w-]+/.exec(url)?.[0] ?? ''
    let received: Response | undefined
    await attempts.record(
      'response',
      async () => {
        received = await fetch(url, { ...init, signal: AbortSignal.timeout(clientTimeout_ms) })
        return { status: received.status, retry_after: received.headers.get('retry-after') }
      },
      ({ status }) => isStored(id, status),
    )
    if (received === undefined) throw new Error('no response')
    return received
  }
  const wallet = await openWallet(ctx, address, { send })
  return async ({ id, wallet_uri }: { id: string; wallet_uri: string }): Promise<boolean> => {
    tries.set(id, (tries.get(id) ?? 0) + 1)
    try {
      const result = await wallet.respond(wallet_uri)
      return result.sent && isStored(id, result.http_status)
    } catch {
      // No response, which is recorded.
      return false
    }
  }
}
