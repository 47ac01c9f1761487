import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openBrowser, tokenFromLink } from '../../../../test/sign-in/browser.ts'
import { openConsole, startServiceWithConsole } from '../../../../test/sign-in/console.ts'
import { startService } from '../../../../test/service.ts'
import { createConsoleLink, createSignInLink } from './dev.ts'

const folder = mkdtempSync(join(tmpdir(), 'vidimus-built-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('says how to build the dashboard, and once it is built creates a sign-in link at every start', async () => {
  await using service = await startService()
  const { tenant_id } = await service.tenant()
  expect(await createSignInLink(service.ctx, tenant_id, folder)).toContain('npm run build')

  writeFileSync(join(folder, 'index.html'), '')
  for (let start = 0; start < 2; start += 1) {
    const [link = ''] = (await createSignInLink(service.ctx, tenant_id, folder)).split(' ')
    const { status, body } = await openBrowser(service).call('readInvitation', {
      body: { token: tokenFromLink(link) },
    })
    expect([status, body.role]).toEqual([200, 'owner'])
  }
})

test('the same for the console, where each link is for the same operator and replaces the one before', async () => {
  await using service = await startServiceWithConsole()
  writeFileSync(join(folder, 'index.html'), '')
  const links: string[] = []
  for (let start = 0; start < 2; start += 1)
    links.push((await createConsoleLink(service.ctx, folder)).split(' ')[0] ?? '')
  const statuses = await Promise.all(
    links.map(async (link) => {
      const body = { token: tokenFromLink(link) }
      return (await openConsole(service).call('readInvitation', { body })).status
    }),
  )
  expect(statuses).toEqual([404, 200])
  await using without = await startService()
  expect(await createConsoleLink(without.ctx, folder)).toContain('OPERATOR_PORT')
})
