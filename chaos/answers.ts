import { randomBytes } from 'node:crypto'
import { sql } from '../apps/service/src/platform/db/sql.ts'
import { startService } from '../apps/service/test/service.ts'
import { openWallet } from '../apps/service/test/wallet.ts'
import type { Chaos } from './run.ts'

const asked = { template: 'age_over_18' }
const atOnce = 50

/** Many simultaneous right answers to one session: one is accepted, the others are told that it was answered. */
export const oneSession: Chaos = async ({ n = 1000 }) => {
  await using service = await startService()
  const merchant = await service.tenant()
  const { body } = await merchant.post('/v1/verifications', asked)
  const wallet = await openWallet(service.ctx, service.address)
  const statuses = await inTurns(n, atOnce, async () => {
    for (let tries = 0; ; tries += 1) {
      const answer = await wallet.respond(body.wallet_uri)
      const status = answer.answered ? answer.http_status : 0
      if (status !== 503 || tries === 100) return status
    }
  })
  const accepted = statuses.filter((status) => status === 200).length
  const refused = statuses.filter((status) => status === 409).length
  return {
    name: 'answer.one_session',
    faults: refused,
    acknowledged: accepted,
    lost: n - accepted - refused + (accepted === 0 ? 1 : 0),
    duplicated: Math.max(accepted - 1, 0),
  }
}

/** A stranger posts rubbish to open sessions: all stay pending, and the right wallet then completes each. */
export const rubbish: Chaos = async ({ n = 1000 }) => {
  await using service = await startService()
  const merchant = await service.tenant({ daily_quota: n })
  const wallet = await openWallet(service.ctx, service.address)
  let faults = 0
  const outcomes = await inTurns(n, atOnce, async () => {
    const { body } = await merchant.post('/v1/verifications', asked)
    for (const raw of [
      `response=${randomBytes(200).toString('base64url')}`,
      `response=${Array.from({ length: 5 }, () => randomBytes(20).toString('base64url')).join('.')}`,
      'error=access_denied&state=guessed',
      randomBytes(100).toString('latin1'),
    ]) {
      const { status } = await service.anyone.request('POST', `/wallet/response/${body.id}`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        raw,
      })
      if (status === 400) faults += 1
    }
    const before = (await service.anyone.get(`/v1/verifications/${body.id}/status`)).body.status
    await wallet.respond(body.wallet_uri)
    const after = (await service.anyone.get(`/v1/verifications/${body.id}/status`)).body.status
    return before === 'pending' && after === 'completed'
  })
  const lost = outcomes.filter((right) => !right).length
  return { name: 'answer.rubbish', faults, acknowledged: n, lost: lost + (4 * n - faults), duplicated: 0 }
}

/** An erasure and an answer at the same moment: no row or seed of the session is left, and the counts are exact. */
export const erasureRace: Chaos = async ({ n = 1000 }) => {
  await using service = await startService()
  const merchant = await service.tenant({ daily_quota: n })
  const wallet = await openWallet(service.ctx, service.address)
  let faults = 0
  const outcomes = await inTurns(n, 10, async () => {
    const { body } = await merchant.post('/v1/verifications', asked)
    const answering = wallet.respond(body.wallet_uri).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
    const erased = await merchant.delete(`/v1/verifications/${body.id}`)
    const { verification_sessions, verification_results } = erased.body.deleted
    const answered = await answering
    const accepted = answered?.answered === true && answered.http_status === 200
    if (accepted) faults += 1
    // An answer that was accepted had its result, which went with the session; one that was not, had none.
    return erased.status === 200 && verification_sessions === 1 && verification_results === (accepted ? 1 : 0)
  })
  const [left] = await service.ctx.db.query<{ rows: number }>(sql`
    select (select count(*) from verification_sessions) + (select count(*) from verification_results)
      + (select count(*) from webhook_queue) + (select count(*) from audit_inbox where subject like 'vs_%') as rows`)
  return {
    name: 'answer.erasure_race',
    faults,
    acknowledged: n,
    lost: outcomes.filter((right) => !right).length,
    duplicated: left?.rows ?? 0,
  }
}

async function inTurns<Result>(count: number, width: number, once: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  let started = 0
  await Promise.all(
    Array.from({ length: Math.min(width, count) }, async () => {
      while (started < count) {
        started += 1
        results.push(await once())
      }
    }),
  )
  return results
}
