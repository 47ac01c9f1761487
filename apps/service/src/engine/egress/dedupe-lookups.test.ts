import { expect, test } from 'vitest'
import { dedupeLookups } from './resolve.ts'

/** Lookups that the test resolves, with their sequence number as result. */
function controlledLookup() {
  const open: { key: string; succeed: () => void; fail: () => void }[] = []
  let count = 0
  const lookUpKey = (key: string) =>
    new Promise<number>((resolve, reject) => {
      count += 1
      const number = count
      open.push({ key, succeed: () => resolve(number), fail: () => reject(new Error('lookup failed')) })
    })
  return { put: lookUpKey, open }
}

const nextTurn = () => new Promise(setImmediate)

test('a request never joins a lookup that has started; all that arrive meanwhile share the next', async () => {
  const { put: lookUpKey, open } = controlledLookup()
  const lookUp = dedupeLookups(lookUpKey, 10)

  const first = lookUp('a')
  const later = [lookUp('a'), lookUp('a'), lookUp('a')]
  expect(open).toHaveLength(1)
  open.shift()?.succeed()
  await nextTurn()
  expect(open).toHaveLength(1)
  const last = lookUp('a')
  open.shift()?.succeed()
  await nextTurn()
  open.shift()?.succeed()

  expect(await first).toBe(1)
  for (const each of later) expect(await each).toBe(2)
  expect(await last).toBe(3)
})

test('lookups of different keys do not wait for each other', async () => {
  const { put: lookUpKey, open } = controlledLookup()
  const lookUp = dedupeLookups(lookUpKey, 10)
  const [slow, quick] = [lookUp('slow'), lookUp('quick')]
  open[1]?.succeed()

  expect(await quick).toBe(2)
  open[0]?.succeed()
  expect(await slow).toBe(1)
})

test('a failed lookup fails for its callers and not for the next ones', async () => {
  const { put: lookUpKey, open } = controlledLookup()
  const lookUp = dedupeLookups(lookUpKey, 10)
  const [first, second] = [lookUp('a'), lookUp('a')]
  open.shift()?.fail()
  await expect(first).rejects.toThrow('lookup failed')
  open.shift()?.succeed()
  expect(await second).toBe(2)
})

test('the number of pending keys is limited, and a finished lookup frees its place', async () => {
  const { put: lookUpKey, open } = controlledLookup()
  const lookUp = dedupeLookups(lookUpKey, 2)
  void [lookUp('a'), lookUp('b')]

  expect(lookUp('c')).toBeUndefined()
  expect(lookUp('a')).toBeDefined()
  open[1]?.succeed()
  await nextTurn()
  expect(lookUp('c')).toBeDefined()
})
