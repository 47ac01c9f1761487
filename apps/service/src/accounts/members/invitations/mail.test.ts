import { expect, test } from 'vitest'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { startAlertService } from '../../../../test/alerts.ts'
import { runProgram } from '../../../../test/processes/run-program.ts'
import { signIn, tokenFromLink } from '../../../../test/sign-in/browser.ts'
import { testEnvironment } from '../../../../test/service.ts'
import { sql } from '../../../engine/db/sql.ts'
import { setPlan } from '../../plans/plans.ts'
import { maxInvitationMails, sweepMailRoom } from '../../../audit/mail/enqueue-mail.ts'

async function startTeam(...options: Parameters<typeof startAlertService>) {
  const service = await startAlertService(...options)
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  await service.notifyAll()
  service.mails.received.length = 0
  service.mails.attempts.length = 0
  return {
    ...service,
    merchant,
    owner,
    invite: (email: string) => owner.call('inviteMember', { body: { email, role: 'developer' } }),
    invitations: async () => (await owner.call('listTeam')).body.invitations,
  }
}

test('an invitation is sent by mail with the link that is also shown', async () => {
  await using service = await startTeam()
  const { body } = await service.invite('ada@example.com')
  expect(body.invitation).toMatchObject({ email: 'ada@example.com', mail: 'waiting' })
  await service.notifyAll()
  const [mail, ...more] = service.mails.received
  expect(more).toEqual([])
  expect(mail?.to).toEqual(['ada@example.com'])
  expect(mail?.text).toContain(body.link)
  expect(mail?.text).toContain('The owner invites you to the dashboard of A merchant.')
  expect(await service.invitations()).toMatchObject([{ mail: 'sent' }])
  const kept = await service.ctx.db.query(sql`select 1 as kept from mails where sealed is not null`)
  expect(kept).toEqual([])
})

test('a refused mail is shown on the team page, and the link works anyway', async () => {
  await using service = await startTeam({
    refuse: (address) => (address.startsWith('ada') ? 550 : undefined),
  })
  const { body } = await service.invite('ada@example.com')
  await service.notifyAll()
  expect(await service.invitations()).toMatchObject([{ mail: 'failed', mail_failure: 'refused 550' }])
  const read = await service.owner.call('readInvitation', { body: { token: tokenFromLink(body.link) } })
  expect(read.status).toBe(200)
})

test.each(['a@b.example>', '<script>@x.example', '"a b"@x.example', 'a@b.example,c@d.example', 'a@b;c'])(
  'nobody is invited at %s, which is no plain address',
  async (email) => {
    await using service = await startTeam()
    expect((await service.invite(email)).status).toBe(400)
  },
)

test('one recipient gets a bounded number of invitations a day by mail, from a tenant and from all together', async () => {
  await using service = await startTeam()
  const { tenant_to_recipient, recipient } = maxInvitationMails
  const states = async (by: Pick<typeof service, 'invite'>, count: number) => {
    const found: string[] = []
    for (let n = 0; n < count; n += 1) found.push((await by.invite('ada@example.com')).body.invitation.mail)
    return found
  }
  const sent = (count: number) => Array.from({ length: count }, () => 'waiting')
  expect(await states(service, tenant_to_recipient + 1)).toEqual([...sent(tenant_to_recipient), 'failed'])
  for (let left = recipient - tenant_to_recipient; left > 0; left -= 1) {
    const owner = await signIn(service, await service.tenant())
    const invite = (email: string) => owner.call('inviteMember', { body: { email, role: 'developer' } })
    expect(await states({ invite }, 1)).toEqual(sent(1))
  }
  const owner = await signIn(service, await service.tenant())
  const invite = (email: string) => owner.call('inviteMember', { body: { email, role: 'developer' } })
  expect(await states({ invite }, 1)).toEqual(['failed'])

  await setClockOffset(service.ctx.db, '25 hours')
  await sweepMailRoom(service.ctx)
  expect(await service.ctx.db.query(sql`select 1 as kept from mail_room`)).toEqual([])
})

test('a withdrawn or replaced invitation is not sent', async () => {
  await using service = await startTeam()
  const { body } = await service.invite('ada@example.com')
  await service.owner.call('withdrawInvitation', { params: { id: body.invitation.id } })
  const first = await service.invite('grace@example.com')
  const second = await service.invite('grace@example.com')
  await service.notifyAll()
  expect(service.mails.received.map(({ to }) => to[0])).toEqual(['grace@example.com'])
  expect(service.mails.received[0]?.text).toContain(second.body.link)
  expect(service.mails.received[0]?.text).not.toContain(first.body.link)
})

test('a tenant can send a bounded number of invitations a day by mail', async () => {
  await using service = await startTeam()
  await setPlan(service.ctx, { name: 'starter', invitations: 1000, members: 1000 })
  for (let n = 0; n < maxInvitationMails.tenant; n += 1) {
    const { body } = await service.invite(`m${n}@example.com`)
    // A withdrawn invitation counts too.
    if (n % 2 === 0) await service.owner.call('withdrawInvitation', { params: { id: body.invitation.id } })
  }
  const { body, status } = await service.invite('one-too-many@example.com')
  expect([status, body.invitation.mail, body.invitation.mail_failure]).toEqual([201, 'failed', 'too_many'])
})

test('a member’s name cannot put a link or a header into an invitation', async () => {
  await using service = await startTeam()
  await service.owner.call('changeMe', { body: { name: 'Win at evil.example/now' } })
  await service.invite('ada@example.com')
  await service.notifyAll()
  expect(service.mails.received[0]?.raw).not.toContain('evil.example')
  expect(service.mails.received[0]?.text).toContain('You are invited to the dashboard of A merchant.')
})

test('the command line queues the mail, and the link is in no table, log or output but its own', async () => {
  await using service = await startTeam()
  const environment = testEnvironment(service.database_url, {
    SMTP_URL: service.mails.url,
    MAIL_FROM: 'vidimus@vidimus.example',
  })
  const invite = ['admin', 'member', 'invite', '--tenant', service.merchant.tenant_id, '--role', 'admin']
  const made = await runProgram([...invite, '--email', 'ada@example.com'], environment)
  expect(made.stdout).toContain('`vidimus work` also sends it by e-mail.')
  const link = made.stdout.split('\n')[0] ?? ''
  const rows = await service.ctx.db.query<{ row: string }>(sql`select m::text as row from mails m`)
  expect(rows.map(({ row }) => row).join('')).not.toContain(tokenFromLink(link))
  await service.notifyAll()
  const mail = service.mails.received.find(({ to }) => to[0] === 'ada@example.com')
  expect(mail?.text).toContain(link)
  expect(service.log.join('')).not.toContain(tokenFromLink(link))
})

test('without a mail server an invitation is only shown', async () => {
  await using service = await startTeam({}, { environment: { SMTP_URL: '', MAIL_FROM: '' } })
  const { body } = await service.invite('ada@example.com')
  expect(body.link).toMatch(/#0[\w-]{43}$/)
  expect(body.invitation).not.toHaveProperty('mail')
  expect(await service.invitations()).toMatchObject([{ email: 'ada@example.com' }])
})
