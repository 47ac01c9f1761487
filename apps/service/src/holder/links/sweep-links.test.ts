import { afterAll, beforeAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { type Merchant, type Service, startService } from '../../../test/service.ts'
import { sql } from '../../engine/db/sql.ts'
import { endedLinkRetention_days, recordLinkUses, sweepLinks } from './sweep-links.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

async function newLink(merchant: Merchant, more: object = {}): Promise<string> {
  const { body } = await merchant.post('/v1/verification_links', {
    name: 'A',
    template: 'age_over_18',
    ...more,
  })
  return body.id
}

test('links are deleted some time after they expired or were used, and those that can be opened are kept', async () => {
  const { db } = service.ctx
  const merchant = await service.tenant()
  await setClockOffset(db, '0 days')
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const expired = await newLink(merchant, { expires_at })
  const used = await newLink(merchant, { single_use: true })
  const kept = [
    await newLink(merchant),
    await newLink(merchant, { active: false }),
    await newLink(merchant, { single_use: true }),
  ]
  await db.execute(sql`select use_link(${used})`)
  const listed = async () => {
    await sweepLinks(service.ctx)
    const rows = await db.query<{ id: string }>(sql`
      select id from verification_links where tenant_id = ${merchant.tenant_id} order by created_at`)
    return rows.map(({ id }) => id)
  }

  await setClockOffset(db, `${endedLinkRetention_days - 1} days`)
  expect(await listed()).toEqual([expired, used, ...kept])
  await setClockOffset(db, `${endedLinkRetention_days + 1} days`)
  // Without its entry in the ledger, a restored database would let it be used again.
  expect(await listed()).toEqual([used, ...kept])
  expect(await recordLinkUses(service.ctx)).toBe(true)
  expect(await recordLinkUses(service.ctx)).toBe(false)
  expect(await listed()).toEqual(kept)
  const audited = await db.query(sql`
    select subject, actor, detail from audit_inbox where action = 'link.deleted' order by id`)
  const detail = { environment: 'test', cause: 'ended' }
  expect(audited).toEqual([
    { subject: expired, actor: 'service', detail },
    { subject: used, actor: 'service', detail },
  ])
  await setClockOffset(db, '0 days')
})
