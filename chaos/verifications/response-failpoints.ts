import { once } from 'node:events'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { startProcesses, type ServiceProcesses } from '../../apps/service/test/processes/processes.ts'
import { openWallet } from '../../apps/service/test/wallet.ts'
import { sourceFaults } from '../../apps/service/test/injected-faults.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import type { ChaosRun } from '../chaos-run.ts'

/** For every step of accepting a wallet response: a fault that kills the process there, and whether the response is committed by then. */
const failpoints: Record<string, { fault: readonly InjectedFault[]; committed?: boolean }> = {
  'before the verification is read': { fault: sourceFaults.killedBeforeReading, committed: false },
  'before the response is verified': { fault: sourceFaults.killedBeforeVerifying, committed: false },
  'before a response code is created': { fault: sourceFaults.killedBeforeCode, committed: false },
  'before it is recorded': { fault: sourceFaults.killedBeforeRecording, committed: false },
  // May or may not be committed: either everything is there or nothing is.
  'while it is recorded': { fault: sourceFaults.killedWhileRecording },
  'before the wallet gets its response': { fault: sourceFaults.killedBeforeReply, committed: true },
}

/**
 * Kills a process at every step of accepting a wallet response. Afterwards the verification is either pending and can still be
 * answered, or has its result, its audit entry and its queued webhook event. Anything else counts as lost.
 */
export const responseFailpoints: ChaosRun = async ({ n = 1 }) => {
  const counts = { faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }
  for (const [name, { fault, committed }] of Object.entries(failpoints)) {
    for (let round = 0; round < n; round += 1) {
      const observed = await killAt(fault, committed)
      counts.acknowledged += 1
      if (observed.died) counts.faults += 1
      else process.stderr.write(`${name}: the process did not reach this step\n`)
      if (!observed.died || !observed.consistent) counts.lost += 1
      if (observed.results > 1 || observed.events > 1 || observed.entries > 1) counts.duplicated += 1
    }
  }
  return { name: 'response.failpoints', ...counts }
}

async function killAt(injectedFaults: readonly InjectedFault[], committed: boolean | undefined) {
  await using service = await startProcesses(1, { injectedFaults })
  const merchant = await service.tenant()
  const { body } = await merchant.post('/v1/verifications', {
    template: 'age_over_18',
    webhook_url: 'https://merchant.invalid/hook',
  })
  const [victim] = service.processes
  if (victim === undefined) throw new Error('no process was started')
  const died = once(victim.child, 'exit').then(([, signal]) => signal === 'SIGKILL')
  const wallet = await openWallet(service.ctx, victim.address)
  await wallet.respond(body.wallet_uri).catch(() => undefined) // the process dies under the request
  const isDead = await Promise.race([
    died,
    new Promise<boolean>((resolve) => setTimeout(resolve, 5000, false)),
  ])
  const after = await readVerificationRows(service, body.id)
  const responded = after.status !== 'pending'
  return {
    died: isDead,
    consistent: isAllOrNothing(after) && (committed ?? responded) === responded,
    ...after,
  }
}

type VerificationRows = { status: string; results: number; entries: number; events: number; seeds: number }

async function readVerificationRows({ ctx }: ServiceProcesses, id: string): Promise<VerificationRows> {
  const [row] = await ctx.db.query<VerificationRows>(sql`
    select s.status, (s.seed is not null)::integer as seeds,
      (select count(*) from verification_results r where r.verification_id = s.id) as results,
      (select count(*) from audit_inbox a where a.subject = s.id and a.action <> 'verification.created') as entries,
      (select count(*) from webhook_events q where q.verification_id = s.id) as events
    from verification_sessions s where s.id = ${id}`)
  if (row === undefined) throw new Error('the verification is gone')
  return row
}

/** Everything is written and the seed is gone, or nothing is and the seed is still there, so that the wallet can respond. */
function isAllOrNothing({ status, results, entries, events, seeds }: VerificationRows): boolean {
  const parts = [results, entries, events]
  return status === 'pending'
    ? seeds === 1 && parts.every((part) => part === 0)
    : seeds === 0 && parts.every((part) => part === 1)
}
