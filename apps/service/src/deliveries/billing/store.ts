import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

type QueuedPart = { event_id: string; tenant_id: string; day: string; url: string; host: string }

/** Queues a part of a day's usage, which is read when it is sent. One that waits already stays as it is. */
export async function insertUsageDay(tx: Db, part: QueuedPart): Promise<void> {
  await tx.execute(sql`
    insert into webhook_events (verification_id, kind, verification_day, tenant_id, url, host)
    values (${part.event_id}, 'usage', ${part.day}, ${part.tenant_id}, ${part.url}, ${part.host})
    on conflict do nothing`)
}
