import { expect, test } from 'vitest'
import { openBrowser, tokenFromLink } from '../../../../test/sign-in/browser.ts'
import { runCommand } from '../../../../test/processes/run-command.ts'
import { runProgram } from '../../../../test/processes/run-program.ts'
import { startService, testEnvironment } from '../../../../test/service.ts'

test('member invite prints a working link and reports wrong usage', async () => {
  await using service = await startService()
  const { tenant_id } = await service.tenant()
  const environment = testEnvironment(service.database_url)
  const command = ['admin', 'member', 'invite', '--tenant', tenant_id, '--email', 'Ada@Example.com']
  const invite = (...more: string[]) => runCommand([...command, ...more], environment)
  const made = await runProgram([...command, '--role', 'owner', '--json'], environment)
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
