import { routes, scopes, type Route } from '@vidimus/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { probes } from '../../test/probes.ts'
import { startService, type Service } from '../../test/service.ts'
import { sql } from '../engine/db/sql.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('reports that it is up and that it is ready', async () => {
  expect(await service.anonymous.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(await service.anonymous.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
})

test('is not ready while the database lacks a migration; a newer migration does not matter', async () => {
  await using own = await startService()
  const { db } = own.ctx
  await db.execute(sql`insert into schema_migrations (name) values ('9999_later.sql')`)
  expect(await own.anonymous.get('/readyz')).toMatchObject({ status: 200 })

  await db.execute(sql`delete from schema_migrations where name = '0001_baseline.sql'`)
  await expect
    .poll(() => own.anonymous.get('/readyz'))
    .toMatchObject({
      status: 503,
      body: { error: { code: 'overloaded', message: expect.stringContaining('pending migrations') } },
    })
  expect(await own.anonymous.get('/healthz')).toMatchObject({ status: 200 })
})

test('metrics are on a separate port, use OpenTelemetry names, and label by route instead of path', async () => {
  await using own = await startService({ extra: probes })
  const merchant = await own.tenant()
  await merchant.get('/v1/probe?q=secret-in-query')
  await own.anonymous.get('/v1/probe/secret-in-path/status')
  await own.anonymous.request('PROPFIND', '/v1/probe')

  expect(await own.anonymous.get('/metrics')).toMatchObject({ status: 404 })
  const response = await fetch(`${own.metrics_address}/metrics`)
  const text = await response.text()
  expect(response.headers.get('content-type')).toContain('text/plain')
  const count = 'http_server_request_duration_seconds_count'
  expect(text).toContain(
    `${count}{http_request_method="GET",http_route="/v1/probe",http_response_status_code="200"} 1`,
  )
  expect(text).toContain(`http_route="/v1/probe/:id/status",http_response_status_code="200"`)
  expect(text).toContain(
    `${count}{http_request_method="_OTHER",http_route="none",http_response_status_code="405"} 1`,
  )
  expect(text).toMatch(/^http_server_active_requests 0$/m)
  expect(text).not.toContain('secret-in')
})

test('[GEN-4] serves the OpenAPI document, version 0.1.0, and a reference page that loads nothing from other origins', async () => {
  const { body } = await service.anonymous.get('/openapi.json')
  const page = await service.anonymous.get('/docs')
  const scripts = [...page.text.matchAll(/src="([^"]+)"/g)].map(([, path = '']) => path)

  expect(body).toMatchObject({ openapi: '3.1.0', info: { version: '0.1.0' } })
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
  expect(page.text).not.toMatch(/https?:/)
  expect(scripts).toEqual(['/docs/prepare.js', '/docs/scalar.js', '/docs/start.js'])
  for (const path of scripts) {
    const script = await service.anonymous.get(path)
    expect([script.status, script.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ])
  }
  expect((await service.anonymous.get('/docs/scalar.js')).text).toContain('createApiReference')
})

test('[AUTH-6] [AUTH-14] each scope grants its own routes of the contract and no others', async () => {
  const merchant = await service.tenant()
  const table = Object.entries<Route>(routes).filter(([, { scope }]) => scope !== undefined)
  expect(new Set(table.map(([, { scope }]) => scope))).toEqual(new Set(scopes))
  for (const scope of scopes) {
    const key = await merchant.as({ scopes: [scope] })
    const granted = await Promise.all(
      table.map(async ([operation, { method, path }]) => {
        const { status, body } = await key.request(method, path.replaceAll(/\{\w+\}/g, 'x'), {
          ...(!['GET', 'DELETE'].includes(method) && { body: {} }),
        })
        expect([operation, status < 500]).toEqual([operation, true])
        return body?.error?.code === 'insufficient_scope' ? [] : operation
      }),
    )
    const own = table.filter(([, route]) => route.scope === scope).map(([operation]) => operation)
    expect([scope, granted.flat()]).toEqual([scope, own])
  }
})
