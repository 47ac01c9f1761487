import { expect, test } from 'vitest'
import { startAlertService, deliverMessages } from '../../../test/alerts.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { openWallet } from '../../../test/wallet.ts'
import { confirmationCode } from '../../engine/basics/index.ts'
import { sql } from '../../engine/db/sql.ts'
import { findHolderVerification } from '../../verifications/index.ts'
import { walletUri } from '../../verifications/wallet/uris.ts'
import { mailLinkResults } from './mail-results.ts'

test('[LINK-7] a link mails its results to members who want them, once, together and without claims', async () => {
  await using service = await startAlertService()
  const { ctx, address, mails } = service
  const merchant = await service.tenant()
  await service.addMembers(merchant, [
    { email: 'owner@example.com', role: 'owner' },
    { email: 'admin@example.com', role: 'admin', language: 'de' },
    { email: 'developer@example.com', role: 'developer' },
  ])
  const make = async (mail_results: boolean) =>
    (
      await merchant.post('/v1/verification_links', {
        name: 'Ms Keller',
        template: 'identity_basic',
        mail_results,
      })
    ).body
  const visit = async (url: string) => {
    const { headers } = await service.anonymous.post(new URL(url).pathname)
    const id = /vs_[\w-]+/.exec(headers.get('location') ?? '')?.[0] ?? ''
    const verification = await findHolderVerification(ctx, id)
    if (verification === undefined) throw new Error('there is no such verification')
    await (await openWallet(ctx, address)).respond(walletUri(ctx.config.BASE_URL, verification))
    return id
  }
  const [mailed, silent] = [await make(true), await make(false)]
  const ids = [await visit(mailed.url), await visit(mailed.url)]
  await visit(silent.url)
  const erased = await visit(mailed.url)
  const claims = JSON.stringify((await merchant.get(`/v1/verifications/${ids[0]}`)).body.claims)
  await merchant.delete(`/v1/verifications/${erased}`)

  await mailLinkResults(ctx)
  await deliverMessages(ctx)
  expect(mails.received).toEqual([])

  await setClockOffset(ctx.db, '10 minutes')
  await Promise.all([mailLinkResults(ctx), mailLinkResults(ctx), mailLinkResults(ctx)])
  await deliverMessages(ctx)
  expect(mails.received.map(({ to }) => String(to[0])).toSorted()).toEqual([
    'admin@example.com',
    'owner@example.com',
  ])
  const english = mails.received.find(({ to }) => to[0] === 'owner@example.com')
  expect(english?.headers['subject']).toBe('2 responses to links – A merchant')
  for (const id of ids)
    expect(english?.text).toContain(`“Ms Keller”: verified, confirmation code ${confirmationCode(id)}`)
  expect(english?.text).toContain(`/dashboard/test/links/${mailed.id}`)
  const german = mails.received.find(({ to }) => to[0] === 'admin@example.com')
  expect(german?.headers['subject']).toBe('2 Antworten auf Links – A merchant')
  const disclosed = Object.values(JSON.parse(claims) as Record<string, unknown>).map(String)
  expect(disclosed.length).toBeGreaterThan(2)
  for (const { text, html } of mails.received) {
    expect(disclosed.filter((value) => value.length > 3 && `${text}${html}`.includes(value))).toEqual([])
    for (const id of [...ids, erased]) expect(`${text}${html}`).not.toContain(id)
  }

  mails.received.length = 0
  await setClockOffset(ctx.db, '1 hour')
  await mailLinkResults(ctx)
  await deliverMessages(ctx)
  expect(mails.received).toEqual([])
  expect(await ctx.db.query(sql`select 1 as found from link_results`)).toEqual([])
})
