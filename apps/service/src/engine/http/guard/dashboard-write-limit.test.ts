import { expect, test } from 'vitest'
import { signIn } from '../../../../test/sign-in/browser.ts'
import { startService } from '../../../../test/service.ts'
import { writeRateLimits } from '../../limits/limiter.ts'

test('changes per member and minute are limited; reading and other members are not affected', async () => {
  await using service = await startService({
    environment: { RATE_LIMITS: 'key=99999/60,ip=99999/60,session=99999/60' },
  })
  const merchant = await service.tenant()
  const developer = await signIn(service, { ...merchant, role: 'developer' })
  const owner = await signIn(service, merchant)
  const { requests } = writeRateLimits.member
  const rename = (n: number) => developer.call('changeMe', { body: { name: `Name ${n}` } })
  const statuses: number[] = []
  for (let from = 0; from < requests + 10; from += 10) {
    const responses = await Promise.all(Array.from({ length: 10 }, (_, n) => rename(from + n)))
    statuses.push(...responses.map(({ status }) => status))
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(requests)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  expect((await developer.call('getMe')).status).toBe(200)
  expect((await owner.call('changeMe', { body: { name: 'Not affected' } })).status).toBe(200)
})
