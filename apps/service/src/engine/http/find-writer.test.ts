import { Verification } from '@vidimus/contract'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { countTurns } from '../../../test/count-turns.ts'
import { findSerializer, findWriter } from './mount.ts'

const List = z.strictObject({ data: z.array(Verification), next_before: z.string().optional() })

function listOf(count: number) {
  const created_at = '2026-01-01T00:00:00.000000Z'
  const metadata = { '"data":[]': '"data":[] $& "', text: 'x'.repeat(8000) }
  const data = Array.from({ length: count }, (_, number) => ({
    id: `vs_${number}`,
    status: 'pending',
    metadata,
    created_at,
    expires_at: created_at,
    secret: 'not in the contract',
  }))
  return { data, next_before: created_at, other: 'not in the contract' }
}

test('[GEN-3] a long list is written in several turns of the event loop, with the same bytes as at once', async () => {
  await using app = fastify()
  app.get('/', async (_request, reply) => {
    const write = findWriter(reply, List)
    const atOnce = findSerializer(reply, List)
    for (const list of [listOf(0), listOf(1), { data: [] }]) expect(await write(list)).toBe(atOnce(list))
    const long = listOf(100)
    expect(await countTurns(async () => expect(await write(long)).toBe(atOnce(long)))).toBeGreaterThan(10)
    return { checked: true }
  })
  expect((await app.inject('/')).json()).toEqual({ checked: true })
})
