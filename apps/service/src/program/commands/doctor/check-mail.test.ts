import { expect, test } from 'vitest'
import { openInstallation } from '../../../../test/installation.ts'
import { startMailServer } from '../../../../test/network/mail-server.ts'
import { runChecks } from './run-checks.ts'

test('connects to the mail server, says what is wrong, and does not repeat the password', async () => {
  await using installation = await openInstallation()
  const MAIL_FROM = 'vidimus@vidimus.example'
  const user = { name: 'vidimus', password: 'correct-horse' }
  await using mails = await startMailServer({ user })
  const check = async (SMTP_URL: string) =>
    (await runChecks({ ...installation.environment, SMTP_URL, MAIL_FROM })).find(
      (found) => found.check === 'mail',
    )

  expect(await check(mails.url)).toMatchObject({ status: 'ok' })
  const wrongPassword = await check(mails.url.replace('correct-horse', 'battery-staple'))
  expect(wrongPassword).toMatchObject({ status: 'wrong', says: expect.stringContaining('refuses the user') })
  const withoutTls = await check(mails.url.replace('?tls=off', ''))
  expect(withoutTls).toMatchObject({ status: 'wrong', says: expect.stringContaining('offers no TLS') })
  expect(JSON.stringify([wrongPassword, withoutTls])).not.toMatch(/battery|horse/)
  expect(mails.received).toEqual([])
})
