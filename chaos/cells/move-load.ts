import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../apps/service/src/engine/context.ts'
import type { Caller } from '../../apps/service/test/caller.ts'
import { openWallet } from '../../apps/service/test/wallet.ts'

/** What was acknowledged to the tenant. */
export type MoveLedger = {
  /** The id that each idempotency key got. */
  created: Map<string, string>
  acknowledged: Set<string>
  erased: Set<string>
  requests: number
  /** Responses other than success and 503 with Retry-After, by their description. */
  wrong: string[]
}

type MoveLoad = { by: Caller; address: string; ctx: Context; webhook_url: string }

const loops = 4
const pause_ms = 30

/** Creates with idempotency keys, answers a third, erases a tenth, and repeats what was refused, until `end`. */
export async function startMoveLoad({ by, address, ctx, webhook_url }: MoveLoad) {
  const ledger: MoveLedger = {
    created: new Map(),
    acknowledged: new Set(),
    erased: new Set(),
    requests: 0,
    wrong: [],
  }
  const wallet = await openWallet(ctx, address)
  let isRunning = true

  /** Repeats a request until it succeeds: refused or lost, the caller does not know which. */
  async function untilDone(what: string, expected: readonly number[], send: () => Promise<Reply>) {
    for (let attempt = 0; attempt < 600; attempt += 1) {
      ledger.requests += 1
      const response = await send().catch(() => undefined)
      if (response !== undefined && expected.includes(response.status)) return response
      if (response !== undefined && (response.status !== 503 || response.headers.get('retry-after') === null))
        ledger.wrong.push(`${what} ${response.status} ${JSON.stringify(response.body)}`)
      await sleep(100)
    }
    ledger.wrong.push(`${what}: never accepted`)
    return undefined
  }

  async function runLoop(loop: number): Promise<void> {
    for (let count = 0; isRunning; count += 1) {
      const key = `loop-${loop}-${count}`
      const body = { template: 'age_over_18', webhook_url }
      const options = { headers: { 'idempotency-key': key } }
      const created = await untilDone('create', [201], () => by.post('/v1/verifications', body, options))
      if (created === undefined) continue
      const { id, wallet_uri } = created.body
      ledger.created.set(key, id)
      if (count % 3 === 0) {
        const result = await wallet.respond(wallet_uri).catch(() => undefined)
        if (result?.sent === true && result.http_status === 200) ledger.acknowledged.add(id)
      }
      if (count % 10 === 9) {
        // A repeated erasure finds nothing: the first one was carried out although its response was lost.
        const erased = await untilDone('erase', [200, 404], () => by.delete(`/v1/verifications/${id}`))
        if (erased !== undefined) ledger.erased.add(id)
      }
      await untilDone('poll', [200, 404], () => by.get(`/v1/verifications/${id}/status`))
      await sleep(pause_ms)
    }
  }
  const running = Promise.all(Array.from({ length: loops }, (_, loop) => runLoop(loop)))
  return {
    async end(): Promise<MoveLedger> {
      isRunning = false
      await running
      return ledger
    },
  }
}

type Reply = Awaited<ReturnType<Caller['get']>>
