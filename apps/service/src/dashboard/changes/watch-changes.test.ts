import { topics } from '@vidimus/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../../../test/sign-in/browser.ts'
import { startService, type Service } from '../../../test/service.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import { maxStreams, streamOpener, watchChanges } from './watch-changes.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('a page is notified of a change within a second, and its stream ends with the session', async () => {
  const merchant = await service.tenant()
  const member = await signIn(service, { ...merchant, role: 'support' })
  const response = await fetch(`${service.address}/dashboard/api/test/events`, {
    headers: { cookie: member.cookie(), 'sec-fetch-site': 'same-origin' },
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  // So that a process that stops does not wait for an idle connection.
  expect(response.headers.get('connection')).toBe('close')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toContain('event: ready')
  // The page was loaded before the stream opened, so the first event covers every topic.
  expect((await reader?.read())?.value).toContain(JSON.stringify({ topics: topics.toSorted() }))
  /** Waits for an event about verifications; one about the sign-in may come first. */
  const nextVerificationEvent = async () => {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) throw new Error('the stream ended')
      if (value?.includes('verifications')) return performance.now()
    }
  }
  const delays: number[] = []
  for (let change = 0; change < 3; change += 1) {
    const received = nextVerificationEvent()
    await merchant.post('/v1/verifications', { template: 'age_over_18' })
    const changed = performance.now()
    delays.push((await received) - changed)
  }
  // The median, because a busy machine may delay one of them.
  expect(delays.toSorted((a, b) => a - b)[1]).toBeLessThan(1000)
  await member.call('signOut')
  await expect(nextVerificationEvent()).rejects.toThrow('the stream ended')
})

test('the members of one tenant never have all streams of a process, and a closed stream frees its place', async () => {
  const { tenant_id } = await service.tenant()
  const other = await service.tenant()
  const openStream = streamOpener(watchChanges(service.ctx))
  const open = (tenant: string, member_id: string) =>
    openStream({
      tenant_id: tenant,
      member_id,
      isSessionActive: () => Promise.resolve(true),
      draining: () => false,
    })
  const member = (index: number) => `member ${Math.floor(index / maxStreams.each)}`
  const streams = Array.from({ length: maxStreams.all / 2 }, (_, index) => open(tenant_id, member(index)))
  const [first] = streams

  expect(() => open(tenant_id, 'a new member')).toThrow('Too many dashboard pages')
  streams.push(open(other.tenant_id, 'another'))
  first?.destroy()
  await waitUntil(() => first?.closed === true)
  streams.push(open(tenant_id, 'a new member'))
  for (const stream of streams) stream.destroy()
})

test('dashboard streams and exports refuse HEAD, so it leaves nothing open', async () => {
  const merchant = await service.tenant()
  const member = await signIn(service, { ...merchant, role: 'auditor' })
  const headers = { cookie: member.cookie(), 'sec-fetch-site': 'same-origin' }
  const head = async (path: string) =>
    (await fetch(`${service.address}/dashboard/api/${path}`, { method: 'HEAD', headers })).status
  const statuses = await Promise.all(Array.from({ length: maxStreams.each }, () => head('test/events')))

  expect(new Set([...statuses, await head('audit/export')])).toEqual(new Set([404]))
  const stream = await fetch(`${service.address}/dashboard/api/test/events`, { headers })
  expect(stream.status).toBe(200)
  await stream.body?.cancel()
})
