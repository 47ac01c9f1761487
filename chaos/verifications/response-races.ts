import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { startService, type Service } from '../../apps/service/test/service.ts'
import { openWallet } from '../../apps/service/test/wallet.ts'
import type { ChaosRun } from '../chaos-run.ts'
import { runConcurrently } from '../run-concurrently.ts'

const creation = { template: 'age_over_18' }
const concurrency = 50

/** Many simultaneous valid responses to one verification: one is accepted, and the others get 409. */
export const simultaneousResponses: ChaosRun = async ({ n = 1000 }) => {
  await using service = await startService()
  const merchant = await service.tenant()
  const { body } = await merchant.post('/v1/verifications', creation)
  const wallet = await openWallet(service.ctx, service.address)
  const statuses = await runConcurrently(n, concurrency, async () => {
    for (let tries = 0; ; tries += 1) {
      const response = await wallet.respond(body.wallet_uri)
      const status = response.sent ? response.http_status : 0
      if (status !== 503 || tries === 100) return status
    }
  })
  const accepted = statuses.filter((status) => status === 200).length
  const refused = statuses.filter((status) => status === 409).length
  return {
    name: 'response.one_verification',
    faults: refused,
    acknowledged: accepted,
    lost: n - accepted - refused + (accepted === 0 ? 1 : 0),
    duplicated: Math.max(accepted - 1, 0),
  }
}

/** Garbage is posted to open verifications: all stay pending, and the right wallet then completes each. */
export const garbageResponses: ChaosRun = async ({ n = 1000 }) => {
  await using service = await startService()
  const merchant = await service.tenant({ daily_quota: n })
  const wallet = await openWallet(service.ctx, service.address)
  let faults = 0
  const outcomes = await runConcurrently(n, concurrency, async () => {
    const { body } = await merchant.post('/v1/verifications', creation)
    for (const raw of [
      `response=${randomBytes(200).toString('base64url')}`,
      `response=${Array.from({ length: 5 }, () => randomBytes(20).toString('base64url')).join('.')}`,
      'error=access_denied&state=guessed',
      randomBytes(100).toString('latin1'),
    ]) {
      const { status } = await service.anonymous.request('POST', `/wallet/response/${body.id}`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        raw,
      })
      if (status === 400) faults += 1
    }
    const before = (await service.anonymous.get(`/v1/verifications/${body.id}/status`)).body.status
    await wallet.respond(body.wallet_uri)
    const after = (await service.anonymous.get(`/v1/verifications/${body.id}/status`)).body.status
    return before === 'pending' && after === 'completed'
  })
  const lost = outcomes.filter((right) => !right).length
  return { name: 'response.rubbish', faults, acknowledged: n, lost: lost + (4 * n - faults), duplicated: 0 }
}

/**
 * Erases a verification while its wallet response arrives, until each has come first `n` times. No row or seed of the verification
 * may remain, and the counts must be exact. The erasure starts at a random moment within the time that a response takes.
 */
export const erasureRace: ChaosRun = async ({ n = 1000 }) => {
  await using service = await startService()
  const maxRounds = 10 * n
  const merchant = await service.tenant({ daily_quota: maxRounds })
  const first = { response: 0, erasure: 0 }
  let wrong = 0
  let typicalResponse_ms = 20
  await runConcurrently(maxRounds, 8, async () => {
    if (first.response >= n && first.erasure >= n) return
    const { body } = await merchant.post('/v1/verifications', creation)
    const respond = await prepareResponse(service, body.wallet_uri)
    const start = performance.now()
    const responding = respond().then((status) => {
      typicalResponse_ms += (performance.now() - start - typicalResponse_ms) / 10
      return status
    })
    // Shift the timing towards the side that has won less often.
    const spread = first.response < first.erasure ? 2 : 0.5
    await sleep(Math.random() * typicalResponse_ms * spread)
    const erased = await merchant.delete(`/v1/verifications/${body.id}`)
    const status = await responding
    first[status === 200 ? 'response' : 'erasure'] += 1
    // An accepted response left a result, which is erased with the verification; a rejected one left none.
    const { verification_sessions, verification_results } = erased.body.deleted ?? {}
    const countsAreRight = verification_sessions === 1 && verification_results === (status === 200 ? 1 : 0)
    if (erased.status !== 200 || !countsAreRight || (status !== 200 && status !== 404)) wrong += 1
  })
  const [left] = await service.ctx.db.query<{ rows: number }>(sql`
    select (select count(*) from verification_sessions) + (select count(*) from verification_results)
      + (select count(*) from webhook_events) + (select count(*) from audit_inbox where subject like 'vs_%') as rows`)
  process.stderr.write(
    `response.erasure_race: the response came first ${first.response} times, the erasure ${first.erasure} times\n`,
  )
  const missing = Math.max(n - first.response, 0) + Math.max(n - first.erasure, 0)
  return {
    name: 'response.erasure_race',
    faults: first.response + first.erasure,
    acknowledged: Math.min(first.response, first.erasure),
    lost: wrong + missing,
    duplicated: left?.rows ?? 0,
  }
}

/** Builds a wallet response and returns a function that posts it. */
async function prepareResponse({ ctx, address, anonymous }: Service, wallet_uri: string) {
  let raw = ''
  const wallet = await openWallet(ctx, address, { onPost: (form) => void (raw = form) })
  await wallet.respond(wallet_uri)
  const id = /%2Fwallet%2Frequest%2F([\w-]+)/.exec(wallet_uri)?.[1]
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return async () => (await anonymous.request('POST', `/wallet/response/${id}`, { headers, raw })).status
}
