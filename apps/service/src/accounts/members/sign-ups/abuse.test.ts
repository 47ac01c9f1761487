import { expect, test } from 'vitest'
import { startAlertService } from '../../../../test/alerts.ts'
import { openBrowser } from '../../../../test/sign-in/browser.ts'
import { maxSignUpMails } from '../../../audit/mail/enqueue-mail.ts'
import { sql } from '../../../engine/db/sql.ts'
import { maxSignUps } from './request-sign-up.ts'

const tries = 10_000
const addresses = 500
/** With two mails each, they would get more than all together may. */
const targets = 120

const start = (RATE_LIMITS: string) =>
  startAlertService({}, { environment: { SIGN_UP: 'open', RATE_LIMITS, TRUSTED_PROXIES: '127.0.0.0/8,::1' } })

type Started = Awaited<ReturnType<typeof start>>

/** Members with every second address. */
async function addKnown(service: Started, emails: readonly string[]): Promise<void> {
  const merchant = await service.tenant()
  await service.addMembers(
    merchant,
    emails.filter((_, n) => n % 2 === 0).map((email) => ({ email, role: 'support' as const })),
  )
}

/** What is the same for everybody: all but the id of the request. */
function comparable({ status, headers, body }: Awaited<ReturnType<ReturnType<typeof openBrowser>['call']>>) {
  const { error } = body
  const shown = error === undefined ? body : { ...error, request_id: undefined }
  return JSON.stringify([status, shown, [...headers.keys()].toSorted()])
}

test(
  '10,000 sign-ups from 500 addresses send a bounded number of mails, and say the same about every address',
  { timeout: 300_000 },
  async () => {
    await using service = await start('key=6000/60,ip=30000/60,session=600/60')
    const emails = Array.from({ length: targets }, (_, n) => `target${n}@d${n % 40}.example`)
    await addKnown(service, emails)
    const replies = { known: new Map<string, number>(), unknown: new Map<string, number>() }
    const attempt = async (n: number) => {
      const target = n % targets
      const client = Math.floor(n / targets + target * 5) % addresses
      const reply = await openBrowser(service).call('requestSignUp', {
        body: { organisation: 'Shop', email: emails[target] },
        headers: { 'x-forwarded-for': `198.18.${client >> 8}.${client & 255}` },
      })
      const seen = target % 2 === 0 ? replies.known : replies.unknown
      const key = comparable(reply)
      seen.set(key, (seen.get(key) ?? 0) + 1)
    }
    for (let n = 0; n < tries; n += 50)
      await Promise.all(Array.from({ length: 50 }, (_, more) => attempt(n + more)))

    const statuses = (seen: Map<string, number>) => Map.groupBy(seen, ([key]) => JSON.parse(key)[0] as number)
    expect([...replies.known.keys()].toSorted()).toEqual([...replies.unknown.keys()].toSorted())
    expect(new Set(statuses(replies.known).keys())).toEqual(new Set([200, 429]))
    const accepted = [replies.known, replies.unknown]
      .flatMap((seen) => [...seen])
      .filter(([key]) => key.startsWith('[200'))
      .reduce((sum, [, count]) => sum + count, 0)
    // The clock runs meanwhile, so that each address may get one more.
    expect(accepted).toBeLessThanOrEqual(addresses * (maxSignUps.burst + 1))
    expect(accepted).toBeGreaterThanOrEqual(addresses * maxSignUps.burst)

    const queued = await service.ctx.db.query<{ recipient: string; mails: number }>(
      sql`select recipient, count(*) as mails from mails group by 1`,
    )
    const total = queued.reduce((sum, { mails }) => sum + mails, 0)
    const most = Math.max(...queued.map(({ mails }) => mails))
    const open = (await service.ctx.db.query(sql`select 1 as row from sign_ups`)).length
    console.log(
      `${tries} tries from ${addresses} addresses: ${accepted} accepted, ${total} mails, at most ${most} to one address, ${open} open sign-ups`,
    )
    expect(total).toBeGreaterThanOrEqual(maxSignUpMails.everyone.burst)
    expect(total).toBeLessThanOrEqual(maxSignUpMails.everyone.burst + maxSignUpMails.everyone.per_hour)
    expect(most).toBeLessThanOrEqual(maxSignUpMails.recipient.burst + 1)
    expect(open).toBeLessThanOrEqual(total)
    await service.notifyAll()
    expect(service.mails.received).toHaveLength(total)
  },
)

test('a known address takes as long as an unknown one', { timeout: 120_000 }, async () => {
  await using service = await start('off')
  const emails = Array.from({ length: 160 }, (_, n) => `target${n}@d${n}.example`)
  await addKnown(service, emails)
  const times: [number[], number[]] = [[], []]
  for (const [n, email] of emails.entries()) {
    const began = performance.now()
    const { status } = await openBrowser(service).call('requestSignUp', {
      body: { organisation: 'S', email },
    })
    expect(status).toBe(200)
    // The first ones prepare statements.
    if (n >= 20) times[n % 2 === 0 ? 0 : 1].push(performance.now() - began)
  }
  const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
  const [known, unknown] = [median(times[0]), median(times[1])]
  console.log(`known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms`)
  expect(known / unknown).toBeGreaterThan(0.5)
  expect(known / unknown).toBeLessThan(2)
})

test('mails to one domain are bounded, and what one address refuses uses up nothing of the others', async () => {
  await using service = await start('off')
  const request = (email: string) =>
    openBrowser(service).call('requestSignUp', { body: { organisation: 'S', email } })
  const room = async () => {
    const rows = await service.ctx.db.query<{ room: number }>(
      sql`select room from mail_room where address = 'sign-up'`,
    )
    return Math.floor(rows[0]?.room ?? 0)
  }
  for (let n = 0; n < 20; n += 1) await request('one@a.example')
  expect(await room()).toBe(maxSignUpMails.everyone.burst - maxSignUpMails.recipient.burst)
  for (let n = 0; n < maxSignUpMails.domain.burst + 10; n += 1) await request(`m${n}@b.example`)
  expect(await room()).toBe(
    maxSignUpMails.everyone.burst - maxSignUpMails.recipient.burst - maxSignUpMails.domain.burst,
  )
})
