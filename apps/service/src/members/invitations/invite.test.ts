import { expect, test } from 'vitest'
import { openBrowser, tokenFromLink } from '../../../test/sign-in/browser.ts'
import { runProgram } from '../../../test/processes/run-program.ts'
import { startService, testEnvironment } from '../../../test/service.ts'

test('member invite prints a working link and reports wrong usage', async () => {
  await using service = await startService()
  const { tenant_id } = await service.tenant()
  const invite = (...more: string[]) =>
    runProgram(
      ['member', 'invite', '--tenant', tenant_id, '--email', 'Ada@Example.com', ...more],
      testEnvironment(service.database_url),
    )
  const made = await invite('--role', 'owner', '--json')
  const { link } = JSON.parse(made.stdout)
  expect(link).toMatch(/^http:\/\/localhost:8080\/dashboard\/invitation#0[\w-]{43}$/)
  const read = await openBrowser(service).call('readInvitation', { body: { token: tokenFromLink(link) } })
  expect(read.body).toMatchObject({ email: 'ada@example.com', role: 'owner', returning: false })
  // A new invitation for the same address invalidates the first.
  await invite('--role', 'admin', '--json')
  const again = await openBrowser(service).call('readInvitation', { body: { token: tokenFromLink(link) } })
  expect(again.status).toBe(404)
  expect((await invite('--role', 'king')).status).toBe(2)
})
