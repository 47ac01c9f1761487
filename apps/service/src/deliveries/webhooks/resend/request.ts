import type { Environment, FailedResend } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import { sessionReceiver } from '../log/list-deliveries.ts'
import { insertResend, readLatestResend, type ResendRow } from './store.ts'

export type RequestResend = {
  by: NewAuditEntry['by']
  environment: Environment
  since: string
  endpoint_id?: string | undefined
}

/** Requests that every event whose last attempt failed since a time is sent again. Workers queue them, some per second (HOOK-19). */
export async function requestResend(
  { db }: Pick<Context, 'db'>,
  { by, environment, since, endpoint_id }: RequestResend,
): Promise<FailedResend> {
  return db.transaction(async (tx) => {
    const receiver = endpoint_id === sessionReceiver ? '' : (endpoint_id ?? null)
    const row = await insertResend(tx, { tenant_id: by.tenant_id, environment, endpoint_id: receiver, since })
    if (row === undefined)
      throw new Refusal(
        'too_many',
        'An earlier request to resend is still being worked on. Wait until it is finished.',
      )
    await appendAudit(tx, { action: 'webhook.failed_resent', by, detail: { environment, since: row.since } })
    return viewResend(row)
  })
}

/** The latest request of a tenant in an environment, with its progress. */
export async function getLatestResend(
  { db }: Pick<Context, 'db'>,
  owner: { tenant_id: string; environment: Environment },
): Promise<FailedResend | undefined> {
  const row = await readLatestResend(db, owner)
  return row === undefined ? undefined : viewResend(row)
}

function viewResend({ since, endpoint_id, requested_at, queued, finished_at }: ResendRow): FailedResend {
  return {
    since,
    ...(endpoint_id !== null && { endpoint_id: endpoint_id === '' ? sessionReceiver : endpoint_id }),
    requested_at,
    queued,
    ...(finished_at !== null && { finished_at }),
  }
}
