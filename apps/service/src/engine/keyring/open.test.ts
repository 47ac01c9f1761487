import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { openDatabase } from '../db/open.ts'
import { openMemoryMasterKey } from './master-key.ts'
import { openKeyring } from './open.ts'
import { rotateKeyring } from './rewrap.ts'
import { UnsealError } from './seal.ts'

const newMasterKey = () => openMemoryMasterKey(randomBytes(32))

async function open() {
  const database = await createTestDatabase()
  const db = openDatabase({ url: database.url, poolSize: 5 })
  return {
    db,
    master_keys: [newMasterKey()],
    async [Symbol.asyncDispose]() {
      await db.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('processes that start at the same time share one ring', async () => {
  await using at = await open()
  const rings = await Promise.all([1, 2, 3, 4].map(() => openKeyring(at)))
  const [first, ...others] = rings

  const sealed = first?.seal('webhook secret', Buffer.from('whsec_1')) ?? Buffer.alloc(0)
  for (const ring of others) {
    expect((await ring.unseal('webhook secret', sealed)).toString()).toBe('whsec_1')
    expect(ring.mac('pairing code', 'ABCD')).toEqual(first?.mac('pairing code', 'ABCD'))
  }
})

test('a sealed value opens only for its own use and only if unaltered', async () => {
  await using at = await open()
  const ring = await openKeyring(at)
  const sealed = ring.seal('seed', Buffer.from('a seed'))

  await expect(ring.unseal('webhook secret', sealed)).rejects.toThrow(UnsealError)
  for (let index = 0; index < sealed.length; index += 1) {
    const altered = Buffer.from(sealed)
    altered[index] = (altered[index] ?? 0) ^ 1
    await expect(ring.unseal('seed', altered)).rejects.toThrow(UnsealError)
  }
  await expect(ring.unseal('seed', sealed.subarray(0, 20))).rejects.toThrow(UnsealError)
})

test('the ring is rotated without downtime: old values open, other processes open new ones, hashes stay the same', async () => {
  await using at = await open()
  const running = await openKeyring(at)
  const before = running.seal('seed', Buffer.from('old'))
  const hash = running.mac('pairing code', 'ABCD')

  const master_keys = [newMasterKey(), ...at.master_keys]
  const newest = await rotateKeyring({ db: at.db, master_keys })
  const restarted = await openKeyring({ db: at.db, master_keys: master_keys.slice(0, 1) })
  const after = restarted.seal('seed', Buffer.from('new'))

  expect(newest).toBe(3)
  expect((await restarted.unseal('seed', before)).toString()).toBe('old')
  expect(restarted.mac('pairing code', 'ABCD')).toEqual(hash)
  const other = await openKeyring({ db: at.db, master_keys })
  expect((await other.unseal('seed', after)).toString()).toBe('new')
  await expect(openKeyring(at)).rejects.toThrow('MASTER_KEY')
})

test('the boundaries between the parts of a hash matter', async () => {
  await using at = await open()
  const ring = await openKeyring(at)

  expect(ring.mac('use', 'ab', 'c')).not.toEqual(ring.mac('use', 'a', 'bc'))
  expect(ring.mac('use', 'a')).not.toEqual(ring.mac('other use', 'a'))
  expect(ring.derive('nonce', Buffer.from('seed'), 32)).not.toEqual(
    ring.derive('state', Buffer.from('seed'), 32),
  )
})
