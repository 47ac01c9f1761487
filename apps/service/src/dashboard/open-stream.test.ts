import { topics } from '@vidimus/contract'
import { expect, test } from 'vitest'
import { signIn } from '../../test/sign-in/browser.ts'
import { startService } from '../../test/service.ts'
import { maxStreams } from './open-stream.ts'

test('a page hears of a change within a second, and its stream ends with the session', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const member = await signIn(service, { ...merchant, role: 'support' })
  const response = await fetch(`${service.address}/dashboard/api/test/events`, {
    headers: { cookie: member.cookie(), 'sec-fetch-site': 'same-origin' },
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  // A process that stops waits for no connection that is kept for another request.
  expect(response.headers.get('connection')).toBe('close')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toContain('event: ready')
  // The page was read before it listened: whatever happened in between is in what it is told to read again.
  expect((await reader?.read())?.value).toContain(JSON.stringify({ topics: topics.toSorted() }))
  /** When it is told of verifications; that somebody has come in may be told before. */
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
  // The middle one: a machine that does other work too may be late for one of them.
  expect(delays.toSorted((a, b) => a - b)[1]).toBeLessThan(1000)
  await member.call('signOut')
  await expect(nextVerificationEvent()).rejects.toThrow('the stream ended')
})

test('[COST-3] streams and exports of the dashboard take no HEAD, so nothing is left open by one', async () => {
  await using service = await startService()
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
