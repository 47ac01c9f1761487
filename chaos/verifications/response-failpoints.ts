import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from '../../apps/service/src/platform/db/sql.ts'
import { startProcesses, type ServiceProcesses } from '../../apps/service/test/processes/processes.ts'
import { openWallet } from '../../apps/service/test/wallet.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import type { ChaosRun } from '../chaos-run.ts'

const file = '/verifications/wallet/accept-response.ts'
const die = `process.kill(process.pid, 'SIGKILL');`

/** Every step of accepting an answer, and after which text of the source the process dies there. */
const failpoints: Record<string, { find: string; put: string; committed?: boolean }> = {
  'before the session is read': killBefore('const session = await findOpenSession', false),
  'before the answer is checked': killBefore('const verified = await verify(', false),
  'before a code is made': killBefore('const code =\n    session.redirect_url', false),
  'before it is recorded': killBefore('const recorded = await recordResponse', false),
  // Committed or not, nobody knows: what follows from it is there with it, or nothing is.
  'while it is recorded': {
    find: 'const recorded = await recordResponse',
    put: `setTimeout(() => { ${die} }, 1)\nconst recorded = await recordResponse`,
  },
  'before the wallet is answered': killBefore('if (!recorded) return refuseLate', true),
}

/**
 * A process dies at every step of accepting an answer. Afterwards the session is either pending and answerable, or has its
 * result, its audit entry and its queued event together: anything between is counted as lost.
 */
export const responseFailpoints: ChaosRun = async ({ n = 1 }) => {
  const counts = { faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }
  for (const [name, { committed, ...fault }] of Object.entries(failpoints)) {
    for (let round = 0; round < n; round += 1) {
      const observed = await killAt({ file, ...fault }, committed)
      counts.acknowledged += 1
      if (observed.died) counts.faults += 1
      else process.stderr.write(`${name}: the process never came there\n`)
      if (!observed.died || !observed.consistent) counts.lost += 1
      if (observed.results > 1 || observed.events > 1 || observed.entries > 1) counts.duplicated += 1
    }
  }
  return { name: 'answer.failpoints', ...counts }
}

function killBefore(find: string, committed: boolean) {
  return { find, put: `${die}\n${find}`, committed }
}

async function killAt(fault: InjectedFault, committed: boolean | undefined) {
  await using service = await startProcesses(1, {
    run: fileURLToPath(new URL('../../apps/service/test/processes/inject-faults.ts', import.meta.url)),
    environment: { PLANT: JSON.stringify([fault]) },
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
  const after = await readSessionRows(service, body.id)
  const answered = after.status !== 'pending'
  return { died: isDead, consistent: isAllOrNothing(after) && (committed ?? answered) === answered, ...after }
}

type SessionRows = { status: string; results: number; entries: number; events: number; seeds: number }

async function readSessionRows({ ctx }: ServiceProcesses, id: string): Promise<SessionRows> {
  const [row] = await ctx.db.query<SessionRows>(sql`
    select s.status, (s.seed is not null)::integer as seeds,
      (select count(*) from verification_results r where r.session_id = s.id) as results,
      (select count(*) from audit_inbox a where a.subject = s.id and a.action <> 'verification.created') as entries,
      (select count(*) from webhook_queue q where q.session_id = s.id) as events
    from verification_sessions s where s.id = ${id}`)
  if (row === undefined) throw new Error('the session is gone')
  return row
}

/** All of it, or nothing and the seed still there: then the right wallet can still answer. */
function isAllOrNothing({ status, results, entries, events, seeds }: SessionRows): boolean {
  const parts = [results, entries, events]
  return status === 'pending'
    ? seeds === 1 && parts.every((part) => part === 0)
    : seeds === 0 && parts.every((part) => part === 1)
}
