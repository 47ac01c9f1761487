import { expect, test } from 'vitest'
import { findGrowth, toRecord } from './judge.ts'
import type { Round } from './measure.ts'
import { noUsage, type Usage } from './observe.ts'

test('an operation that uses what was recorded has not grown, on a machine of any speed', () => {
  const recorded = toRecord([makeRound()])

  expect(findGrowth('get', recorded, [makeRound()])).toEqual([])
  expect(findGrowth('get', recorded, [makeRound({ speed: 0.4 })])).toEqual([])
  expect(findGrowth('get', recorded, [makeRound({ speed: 3 })])).toEqual([])
})

test('CPU time of any part that grows by more than 15 % is reported, and by less is not', () => {
  const recorded = toRecord([makeRound()])

  for (const part of ['main', 'threads', 'postgres', 'redis'] as const) {
    const grown = (by: number) => makeRound({ loaded: { [part]: loaded[part] * by } })
    expect(findGrowth('get', recorded, [grown(1.2)])).toMatchObject([
      { operation: 'get', entry: `cpu.${part}` },
    ])
    expect(findGrowth('get', recorded, [grown(1.1)])).toEqual([])
  }
})

test('one more statement, round trip or log record is reported', () => {
  const recorded = toRecord([makeRound()])
  const more = (alone: Partial<Usage>) => findGrowth('get', recorded, [makeRound({ alone })])

  expect(more({ statements: 3 })).toMatchObject([{ entry: 'alone.statements', recorded: 2, measured: 3 }])
  expect(more({ round_trips: 4 })).toMatchObject([{ entry: 'alone.round_trips' }])
  expect(more({ wal_bytes: 400 })).toMatchObject([{ entry: 'alone.wal_bytes' }])
  expect(more({ statements: 2.05 })).toEqual([])
})

test('statements that are no longer shared under load are reported', () => {
  const recorded = toRecord([makeRound()])

  expect(findGrowth('get', recorded, [makeRound({ loaded: { round_trips: 1.2 } })])).toMatchObject([
    { entry: 'loaded.round_trips', recorded: 0.2, measured: 1.2 },
  ])
})

test('a disturbed round is not growth if another round is not disturbed', () => {
  const recorded = toRecord([makeRound()])
  const disturbed = makeRound({ loaded: { main: 400, postgres: 400 } })

  expect(findGrowth('get', recorded, [disturbed, makeRound()])).toEqual([])
  expect(findGrowth('get', recorded, [disturbed, disturbed])).toHaveLength(2)
})

test('an operation without a record is reported', () => {
  expect(findGrowth('new', undefined, [makeRound()])).not.toEqual([])
})

test('a round without its bare parts is reported, not taken as good', () => {
  const recorded = toRecord([makeRound()])

  expect(findGrowth('get', recorded, [{ ...makeRound(), bare: new Map() }])).toHaveLength(4)
})

test('a check of what is counted needs no bare parts and judges no CPU time', () => {
  const recorded = toRecord([makeRound()], 'counted')
  const counted: Round = { ...makeRound({ loaded: noUsage }), bare: new Map() }
  const withStatement: Round = { ...makeRound({ alone: { statements: 3 } }), bare: new Map() }

  expect(Object.keys(recorded)).toEqual(['alone.statements'])
  expect(findGrowth('get', recorded, [counted], 'counted')).toEqual([])
  expect(findGrowth('get', recorded, [withStatement], 'counted')).toMatchObject([
    { entry: 'alone.statements' },
  ])
})

const loaded: Usage = {
  ...noUsage,
  main: 80,
  threads: 300,
  postgres: 90,
  redis: 30,
  round_trips: 0.2,
  statements: 0.1,
}
const alone: Usage = { ...loaded, wal_bytes: 300, statements: 2, round_trips: 3 }

/** A round on a machine that takes `speed` times the CPU time for everything. */
function makeRound(changed: { loaded?: Partial<Usage>; alone?: Partial<Usage>; speed?: number } = {}): Round {
  const { speed = 1 } = changed
  const slow = (usage: Usage): Usage => ({
    ...usage,
    main: usage.main * speed,
    threads: usage.threads * speed,
    postgres: usage.postgres * speed,
    redis: usage.redis * speed,
  })
  return {
    loaded: slow({ ...loaded, ...changed.loaded }),
    alone: slow({ ...alone, ...changed.alone }),
    bare: new Map([
      ['fastify', slow({ ...noUsage, main: 20 })],
      ['select', slow({ ...noUsage, postgres: 20 })],
      ['insert', slow({ ...noUsage, postgres: 200 })],
      ['redis', slow({ ...noUsage, redis: 5 })],
      ['verify', slow({ ...noUsage, threads: 250 })],
    ]),
  }
}
