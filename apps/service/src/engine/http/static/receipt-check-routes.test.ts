import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type Service } from '../../../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('[RECEIPT-3] the page for inspectors may send nothing, in its header and in a saved copy, and is the same for everybody', async () => {
  const { status, headers, text } = await service.anonymous.get('/docs/receipt-check')
  const policy = headers.get('content-security-policy') ?? ''
  const [, own = ''] = /http-equiv="content-security-policy"\s+content="([^"]+)"/.exec(text) ?? []

  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(policy).toBe(`${own}; frame-ancestors 'none'`)
  expect(own).toMatch(
    /^default-src 'none'; script-src 'sha256-[\w+/]+='; style-src 'sha256-[\w+/]+='; img-src data:;/,
  )
  expect(own).not.toContain('connect-src')
  expect(text.match(/<script/g)).toHaveLength(1)
  // Nothing is loaded, and nothing names the installation.
  expect(text).not.toMatch(/ src=| href="(?!data:|\/docs\/receipt-check)/)
  expect(text).not.toContain(new URL(service.ctx.config.BASE_URL).host)
})
