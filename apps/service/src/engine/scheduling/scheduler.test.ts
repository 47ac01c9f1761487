import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openScheduler, schedulerLimits, type Scheduler } from './scheduler.ts'
import { currentWork, type Work } from './work.ts'

/** Enters and says whether the request has started. */
function send(scheduler: Scheduler, owner: string, shedLast = false) {
  const sent = { started: false, refused: false, work: undefined as Work | undefined }
  sent.work = scheduler.enter({ owner, shedLast }, (refusal) => {
    if (refusal === undefined) sent.started = true
    else sent.refused = true
  })
  return sent
}

function sendMany(scheduler: Scheduler, owner: string, count: number) {
  return Array.from({ length: count }, () => send(scheduler, owner))
}

/** Teaches the scheduler what a request of the owner costs. */
function learnCost(scheduler: Scheduler, owner: string, ms: number): void {
  const { work } = send(scheduler, owner)
  work?.charge(ms)
  work?.end()
}

const started = (requests: { started: boolean }[]) => requests.filter((request) => request.started).length

test('an owner that is alone is never held back, however expensive its requests are', () => {
  const scheduler = openScheduler()
  learnCost(scheduler, 'a', 300)
  expect(started(sendMany(scheduler, 'a', 500))).toBe(500)
})

test('beside others, an owner has one expensive request in progress, or some cheap ones; the others start at once', async () => {
  const scheduler = openScheduler()
  send(scheduler, 'b').work?.end()
  learnCost(scheduler, 'a', 300)
  const expensive = sendMany(scheduler, 'a', 20)
  expect(started(expensive)).toBe(1)
  expect(send(scheduler, 'b').started).toBe(true)

  expensive[0]?.work?.end()
  await nextTurn()
  expect(started(expensive)).toBe(2)

  const cheap = sendMany(scheduler, 'c', 50)
  expect(started(cheap)).toBeGreaterThan(1)
  expect(started(cheap)).toBeLessThanOrEqual(schedulerLimits.owner_ms)
})

test('among those that wait, the owner that used least goes first', async () => {
  const scheduler = openScheduler({ ...schedulerLimits, all_ms: 8, share: 0 })
  const used = { most: 300, some: 200, least: 100 }
  for (const [owner, ms] of Object.entries(used)) learnCost(scheduler, owner, ms)
  learnCost(scheduler, 'first', 50)
  const first = send(scheduler, 'first')
  const order: string[] = []
  for (const owner of Object.keys(used))
    scheduler.enter({ owner }, () => {
      order.push(owner)
      currentWork()?.end()
    })
  expect([first.started, order]).toEqual([true, []])
  first.work?.end()
  await expect.poll(() => order).toEqual(['least', 'some', 'most'])
})

test('of requests that end as soon as they begin, an owner has a few in each turn of the event loop', async () => {
  const scheduler = openScheduler()
  send(scheduler, 'b').work?.end()
  let ended = 0
  for (let count = 0; count < 100; count += 1)
    scheduler.enter({ owner: 'a' }, () => {
      ended += 1
      currentWork()?.end()
    })
  expect(ended).toBeLessThan(20)
  expect(send(scheduler, 'b').started).toBe(true)
  await expect.poll(() => ended).toBe(100)
})

test('a debt has a bound, so that who stops is soon served like others', async () => {
  const scheduler = openScheduler({ ...schedulerLimits, all_ms: 8, maxDebt_ms: 20, share: 1e6 })
  send(scheduler, 'b').work?.end()
  learnCost(scheduler, 'a', 1e12)
  const busy = ['c', 'd', 'e', 'f', 'g'].map((owner) => send(scheduler, owner))
  expect(started(busy)).toBe(busy.length)
  await nextTurn()
  expect(send(scheduler, 'a').started).toBe(true)
})

test('a request that waits for another host lets the next one of its owner start', async () => {
  const scheduler = openScheduler()
  send(scheduler, 'b').work?.end()
  learnCost(scheduler, 'a', 300)
  const [first, second, third] = sendMany(scheduler, 'a', 3)
  first?.work?.pause()
  await nextTurn()
  expect([second?.started, third?.started]).toEqual([true, false])
  const turn = first?.work?.resume()
  expect(turn).toBeInstanceOf(Promise)
  second?.work?.end()
  await nextTurn()
  // Those that have waited longer are served first.
  expect(third?.started).toBe(true)
  third?.work?.end()
  await turn
  first?.work?.end()
  expect(scheduler.active()).toBe(0)
})

test("once authenticated, a request waits for its tenant's turn and frees that of its address", async () => {
  const scheduler = openScheduler()
  send(scheduler, 'other').work?.end()
  learnCost(scheduler, 'tenant', 300)
  const busy = send(scheduler, 'tenant')
  const request = send(scheduler, 'address')
  expect([busy.started, request.started]).toEqual([true, true])
  let continued = false
  const waiting = request.work?.continueAs('tenant')?.then(() => (continued = true))
  expect(waiting).toBeInstanceOf(Promise)
  await nextTurn()
  expect(continued).toBe(false)
  busy.work?.end()
  await waiting
  expect([continued, request.work?.owner()]).toEqual([true, 'tenant'])
})

test('an address that only passed through on the way to its tenant does not hold the tenant back', () => {
  const scheduler = openScheduler()
  learnCost(scheduler, 'tenant', 300)
  const first = send(scheduler, 'address')
  expect(first.work?.continueAs('tenant')).toBeUndefined()
  expect(started(sendMany(scheduler, 'tenant', 20))).toBe(20)
})

test('waiting requests are bounded per owner and in all, longer for routes that are shed last, and in time', async () => {
  const maxWaiting = { each: 5, first: 8, last: 9 }
  const scheduler = openScheduler({ ...schedulerLimits, maxWaiting, maxWait_ms: 20 })
  for (const owner of ['a', 'b', 'c', 'd']) learnCost(scheduler, owner, 300)
  const first = sendMany(scheduler, 'a', 7)
  expect(first.map(({ refused }) => refused)).toEqual([false, false, false, false, false, false, true])
  const second = sendMany(scheduler, 'b', 5)
  expect(second.at(-1)?.refused).toBe(true)
  expect(send(scheduler, 'b', true).refused).toBe(false)
  expect(scheduler.waiting()).toBe(9)

  await expect.poll(() => first.every((request) => request.started || request.refused)).toBe(true)
  await expect.poll(() => scheduler.waiting()).toBe(0)
})

test('a caller that hangs up while it waits leaves the queue', async () => {
  const scheduler = openScheduler()
  send(scheduler, 'b').work?.end()
  learnCost(scheduler, 'a', 300)
  const [first, second, third] = sendMany(scheduler, 'a', 3)
  second?.work?.end()
  expect(scheduler.waiting()).toBe(1)
  first?.work?.end()
  await nextTurn()
  expect([second?.started, third?.started]).toEqual([false, true])
  third?.work?.end()
  expect([scheduler.active(), scheduler.waiting()]).toEqual([0, 0])
})
