import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type Service } from '../../../../test/service.ts'
import { mountHome } from './home-routes.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

test('/ leads to the dashboard if it is built, and to the guides otherwise', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-home-'))
  const app = fastify()
  mountHome(app, { dashboard: folder })
  const { statusCode, headers } = await app.inject('/')
  rmSync(folder, { recursive: true })
  await app.close()

  expect([statusCode, headers.location]).toEqual([302, '/docs/guides'])
  const { status, headers: sent } = await service.anonymous.get('/')
  expect(status).toBe(302)
  expect(['/dashboard', '/docs/guides']).toContain(sent.get('location'))
})

test('every page of the service names an icon that exists', async () => {
  const merchant = await service.tenant()
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  for (const path of ['/docs', '/docs/guides', '/docs/guides/quickstart', '/sandbox/wallet', '/nowhere'])
    expect([path, (await service.anonymous.get(path, { headers: browser })).text]).toEqual([
      path,
      expect.stringContaining('<link rel="icon" href="/favicon.svg"'),
    ])
  expect((await service.anonymous.get(`/verify/${body.id}`)).text).toContain('<link rel="icon" href="data:')
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    const { status, headers } = await service.anonymous.get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  }
})

test('an unknown address is a page for a browser and the envelope for a program', async () => {
  const page = await service.anonymous.get('/nowhere?<script>', { headers: browser })
  expect([page.status, page.headers.get('content-type'), page.headers.get('vary')]).toEqual([
    404,
    'text/html; charset=utf-8',
    'accept',
  ])
  expect(page.text).toContain('<h1>Page not found</h1>')
  expect(page.text).toContain(page.headers.get('x-request-id'))
  expect(page.text).not.toContain('nowhere')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  for (const [path, headers] of [
    ['/nowhere', {}],
    ['/nowhere', { accept: 'application/json' }],
    ['/v1/nowhere', browser],
    ['/dashboard/api/nowhere', browser],
  ] as const) {
    const { status, body } = await service.anonymous.get(path, { headers })
    expect([path, status, body.error?.code]).toEqual([path, 404, 'not_found'])
  }
})
