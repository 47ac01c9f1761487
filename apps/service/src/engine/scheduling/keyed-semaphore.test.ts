import { expect, test } from 'vitest'
import { openKeyedSemaphore } from './keyed-semaphore.ts'

const never = new AbortController().signal

test('each key has its own slots, and waiting callers get them in order', async () => {
  const semaphore = openKeyedSemaphore(2)
  await Promise.all([semaphore.acquire('a', never), semaphore.acquire('a', never)])
  expect([semaphore.isFull('a'), semaphore.tryAcquire('a')]).toEqual([true, false])
  expect([semaphore.isFull('b'), semaphore.tryAcquire('b')]).toEqual([false, true])

  const order: string[] = []
  const first = semaphore.acquire('a', never).then(() => order.push('first'))
  const second = semaphore.acquire('a', never).then(() => order.push('second'))
  semaphore.release('a')
  semaphore.release('a')
  await Promise.all([first, second])
  expect(order).toEqual(['first', 'second'])
  expect(semaphore.isFull('a')).toBe(true)
})

test('a caller that stops waiting gets an error and takes no slot', async () => {
  const semaphore = openKeyedSemaphore(1)
  await semaphore.acquire('a', never)
  const waiting = new AbortController()
  const acquired = semaphore.acquire('a', waiting.signal)
  waiting.abort(new Error('too late'))
  await expect(acquired).rejects.toThrow('too late')
  await expect(semaphore.acquire('a', waiting.signal)).rejects.toThrow('too late')

  semaphore.release('a')
  expect(semaphore.isFull('a')).toBe(false)
  expect(semaphore.tryAcquire('a')).toBe(true)
})
