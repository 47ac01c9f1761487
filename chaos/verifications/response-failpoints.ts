import { once } from 'node:events'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { startProcesses, type ServiceProcesses } from '../../apps/service/test/processes/processes.ts'
import { openWallet } from '../../apps/service/test/wallet.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import type { ChaosRun } from '../chaos-run.ts'

const file = 'verifications/wallet/accept-response.ts'
const die = `process.kill(process.pid, 'SIGKILL');`

/** For every step of accepting a wallet response, where in the source the process is killed. */
const failpoints: Record<string, InjectedFault & { committed?: boolean }> = {
  'before the verification is read': {
    ...killBefore('const verification = await findOpenVerification', false),
    file: 'verifications/wallet-routes.ts',
  },
  'before the response is verified': killBefore('const verified = await verifyResponse(', false),
  'before a response code is created': killBefore('const code = redirect_url', false),
  'before it is recorded': killBefore('const recorded = await recordResponse', false),
  // May or may not be committed: either everything is there or nothing is.
  'while it is recorded': {
    file,
    find: 'const recorded = await recordResponse',
    replacement: `setTimeout(() => { ${die} }, 1)\nconst recorded = await recordResponse`,
  },
  'before the wallet gets its response': killBefore('if (!recorded) return refuseLate', true),
}

/**
 * Kills a process at every step of accepting a wallet response. Afterwards the verification is either pending and can still be
 * answered, or has its result, its audit entry and its queued webhook event. Anything else counts as lost.
 */
export const responseFailpoints: ChaosRun = async ({ n = 1 }) => {
  const counts = { faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }
  for (const [name, { committed, ...fault }] of Object.entries(failpoints)) {
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

function killBefore(find: string, committed: boolean) {
  return { file, find, replacement: `${die}\n${find}`, committed }
}

async function killAt(fault: InjectedFault, committed: boolean | undefined) {
  await using service = await startProcesses(1, {
    injectedFaults: [fault],
  })
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
