import { randomInt, randomUUID } from 'node:crypto'
import type { Acknowledgements } from './acknowledgements.ts'
import type { AttemptLog, openClient } from './attempts.ts'
import { repeat } from './repeat.ts'

export type ActionOptions = {
  client: ReturnType<typeof openClient>
  attempts: AttemptLog
  acknowledgements: Acknowledgements
  webhook_url: string
  /** Responds as a wallet, once. Whether the response is stored. */
  respondOnce: (verification: { id: string; wallet_uri: string }) => Promise<boolean>
}

/** So many verifications must exist before one is erased. */
const keptFromErasure = 20

/** What the clients of a load do. Each repeats its request until it is acknowledged, and keeps what was. */
export function createActions({
  client,
  attempts,
  acknowledgements,
  webhook_url,
  respondOnce,
}: ActionOptions) {
  const { created, pending, responded, erasing, erased } = acknowledgements
  /** Acknowledged, and not being answered or erased. */
  const readable: string[] = []
  const erasedIds: string[] = []
  return {
    async create({ withWallet }: { withWallet: boolean }): Promise<void> {
      const idempotency_key = randomUUID()
      pending.add(idempotency_key)
      const body = { template: 'age_over_18', ...(withWallet && { webhook_url }) }
      const response = await repeat(() =>
        attempts.record(
          'create',
          () => client('/v1/verifications', { method: 'POST', body, idempotency_key }),
          ({ status }) => status === 201,
        ),
      )
      if (response === undefined) return
      const { id, wallet_uri } = response.body
      pending.delete(idempotency_key)
      created.set(idempotency_key, (created.get(idempotency_key) ?? new Set()).add(id))
      if (withWallet) {
        const stored = await repeat(async () => ({
          verdict: (await respondOnce({ id, wallet_uri })) ? 'correct' : 'refused',
        }))
        if (stored !== undefined) responded.add(id)
      }
      readable.push(id)
    },

    /** Reads a verification, or one that was erased, which must not be found. */
    async read(): Promise<void> {
      const exists = erasedIds.length === 0 || randomInt(3) > 0
      const from = exists ? readable : erasedIds
      const id = from[randomInt(Math.max(1, from.length))]
      if (id === undefined) return
      await attempts.record(
        'read',
        () => client(`/v1/verifications/${id}`),
        ({ status }) => {
          if (status === 200 && !exists) acknowledgements.readable_after_erasure.push(id)
          if (status === 404 && exists && !erasing.has(id)) acknowledgements.not_found.push(id)
          return status === (exists ? 200 : 404) || (status === 404 && erasing.has(id))
        },
      )
    },

    async erase(): Promise<void> {
      if (readable.length < keptFromErasure) return
      const [id] = readable.splice(randomInt(readable.length), 1)
      if (id === undefined) return
      erasing.add(id)
      let tries = 0
      const response = await repeat(() => {
        tries += 1
        return attempts.record(
          'erase',
          () => client(`/v1/verifications/${id}`, { method: 'DELETE' }),
          // An erasure that was committed although the client did not hear of it is not found again.
          ({ status }) => status === 200 || (tries > 1 && status === 404),
        )
      })
      if (response === undefined) return
      erased.set(id, Date.now())
      erasedIds.push(id)
    },
  }
}
