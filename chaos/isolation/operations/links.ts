import { randomBytes } from 'node:crypto'
import {
  countLinks,
  deleteLinkRow,
  insertLink,
  lockLink,
  readLink,
  readLinks,
  readLinksWithTemplate,
  updateLink,
  type LinkRow,
} from '../../../apps/service/src/holder/links/store.ts'
import { readClock } from '../../../apps/service/src/engine/db/index.ts'
import { sql } from '../../../apps/service/src/engine/db/sql.ts'
import { linkBody } from '../fixture/tenant-fixture.ts'
import { expectEqual } from '../expect-equal.ts'
import { expectUnchanged } from '../expect-unchanged.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'

/** Calls the store of links for one tenant with the ids of another. Most use cases check the tenant more than once. */
export async function queryLinkStore({
  service,
  victim,
  otherTenant,
  newTenant,
}: IsolationFixture): Promise<string[]> {
  const { db } = service.ctx
  const { tenant_id } = otherTenant.merchant
  const environment = 'test' as const
  const theirs = { tenant_id: victim.merchant.tenant_id, id: victim.link, environment }
  const foreign = { ...theirs, tenant_id }
  const link = await readLink(db, theirs)
  if (link === undefined) return ['the victim has no link']
  const unchanged = await expectUnchanged(service, async () => {
    await updateLink(db, foreign, { ...link, name: 'Renamed' })
    return [
      ...expectEqual('reading', await readLink(db, foreign), undefined),
      ...expectEqual('locking', await lockLink(db, foreign), undefined),
      ...expectEqual('deleting', await deleteLinkRow(db, foreign), false),
      ...expectEqual(
        'another environment',
        await readLink(db, { ...theirs, environment: 'live' }),
        undefined,
      ),
    ]
  })
  const none = { tenant_id: newTenant.tenant_id }
  return [
    ...unchanged,
    ...expectEqual('its links', await readLinks(db, { ...none, environment, before: null, limit: 10 }), []),
    ...expectEqual('counting', await countLinks(db, none.tenant_id, 10), 0),
    ...expectEqual(
      'its links with a template',
      await readLinksWithTemplate(db, { ...none, key: linkBody.template, limit: 10 }),
      [],
    ),
    ...expectEqual('its first link', await firstLinkIsNow(service.ctx.db, none.tenant_id, link), true),
  ]
}

/** The time of a link follows that of the tenant's own links only, however late those of others are. */
async function firstLinkIsNow(
  db: IsolationFixture['service']['ctx']['db'],
  tenant_id: string,
  link: LinkRow,
): Promise<boolean> {
  const id = `vl_${randomBytes(16).toString('base64url')}`
  const key = { tenant_id, id, environment: 'test' as const }
  return db.transaction(async (tx) => {
    const postpone = (days: number) =>
      tx.execute(sql`
        update verification_links set created_at = created_at + make_interval(days => ${days}::integer) where id = ${link.id}`)
    await postpone(1)
    await insertLink(tx, { ...link, ...key, code_hash: randomBytes(32) })
    const created_at = (await readLink(tx, key))?.created_at ?? ''
    const now = await readClock(tx)
    await deleteLinkRow(tx, key)
    await postpone(-1)
    return created_at <= now
  })
}
