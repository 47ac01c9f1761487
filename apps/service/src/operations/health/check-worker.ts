import { readAuditLag } from '../../audit/index.ts'
import { readWebhookLag } from '../../deliveries/index.ts'
import { type Database, readHeartbeatAge } from '../../engine/db/index.ts'
import { type DoctorFinding, ok, warning, wrong } from './finding.ts'

export const maxLag_seconds = 60

/** A worker handles both within a second, so if one has waited for a minute, no worker is running. Without traffic, only the heartbeat shows that. */
export async function checkWorker(db: Database): Promise<DoctorFinding[]> {
  const [audit, webhooks] = [await readAuditLag({ db }), await readWebhookLag({ db })]
  if (Math.max(audit, webhooks) <= maxLag_seconds) return [await checkHeartbeat(db)]
  const what = webhooks > maxLag_seconds ? 'A webhook' : 'An audit entry'
  return [
    wrong(
      'worker',
      `${what} has waited for ${Math.round(Math.max(audit, webhooks))} s.`,
      'Start `vidimus work` beside `vidimus serve`. If it runs, search its log for “background task failed”.',
    ),
  ]
}

async function checkHeartbeat(db: Database): Promise<DoctorFinding> {
  const age_seconds = await readHeartbeatAge(db)
  if (age_seconds !== undefined && age_seconds <= maxLag_seconds) return ok('worker', 'no backlog')
  return warning(
    'worker',
    age_seconds === undefined
      ? 'No worker has ever run: no webhook is sent and expired data is not deleted.'
      : `No worker has run for ${Math.round(age_seconds)} s: webhooks wait, and expired data is not deleted.`,
    'Start `vidimus work` beside `vidimus serve`.',
  )
}
