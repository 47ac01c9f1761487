import { openStatusList, type Trust } from '@vidimus/protocol'
import { anchorsOf } from '@vidimus/sandbox'
import { describe, expect, test } from 'vitest'
import { turnClock } from '../../../test/clock.ts'
import { presentAndVerify, queries } from '../../../test/presentation.ts'
import { reply } from '../../../test/receiver.ts'
import { replyBytes, signList } from '../../../test/status-issuer.ts'
import { openStatusWorld } from '../../../test/status-world.ts'
import { clockOf } from '../../../test/stores.ts'
import { sql } from '../../platform/db/sql.ts'

const hour = 3600
const day = 86_400

describe('[TRUST-4] a list is kept within its lifetime', () => {
  test.each<[string, { exp?: number; ttl?: number }, number]>([
    ['for its ttl', { ttl: 600, exp: day }, 600],
    ['until it expires, if that is sooner', { ttl: 600, exp: 300 }, 300],
    ['until it expires, without a ttl', { exp: 1800 }, 1800],
    ['for an hour, when it says nothing', {}, hour],
    ['for an hour without a ttl, however late it expires', { exp: 30 * day }, hour],
    ['for a day at most', { ttl: 400 * day }, day],
  ])('%s', async (_what, { exp, ttl }, life) => {
    await using world = await openStatusWorld()
    const now = await clockOf(world.stores.db)
    const said = { iat: now, ...(exp !== undefined && { exp: now + exp }), ...(ttl !== undefined && { ttl }) }
    world.issuer.serve(said)

    await world.lookUp()
    await turnClock(world.stores.db, `${life - 20} seconds`)
    expect(await world.lookUp()).toBeDefined()
    expect(world.issuer.asked).toBe(1)

    world.issuer.behave(reply(503))
    await turnClock(world.stores.db, `${life + 20} seconds`)
    expect(await world.lookUp()).toBeUndefined()
    expect(world.issuer.asked).toBe(2)
  })

  test('which may be none: it then serves this once', async () => {
    await using world = await openStatusWorld()
    const now = await clockOf(world.stores.db)
    world.issuer.serve({ iat: now, exp: now + hour, ttl: 0 })

    expect(await world.lookUp()).toBeDefined()
    expect(await world.stores.db.query(sql`select from status_lists`)).toEqual([])
  })

  test('and numbers beyond all times are no fault of ours', async () => {
    await using world = await openStatusWorld()
    const now = await clockOf(world.stores.db)
    for (const said of [
      { iat: now, exp: 1e300, ttl: 1e300 },
      { iat: -1e300, exp: now + hour },
      { iat: now, ttl: -5 },
    ]) {
      world.issuer.serve(said)
      expect(await world.lookUp(`${world.issuer.base}/${said.iat}/${said.ttl}`)).toBeDefined()
    }
  })
})

describe('[TRUST-4] a wrong list', () => {
  test('is never worth more than none: the check fails whatever the policy, and it is not kept', async () => {
    await using world = await openStatusWorld()
    const { issuer } = world.issuer
    const now = await clockOf(world.stores.db)
    const trust: Trust = {
      anchors: anchorsOf(issuer),
      lookUpStatus: world.lookUp,
      status_unavailable: 'warning',
    }
    const good = signList(issuer, { iat: now, exp: now + hour, sub: world.issuer.uri })

    for (const [index, wrong] of [
      `${good.slice(0, -8)}AAAAAAAA`,
      signList(issuer, { iat: now, exp: now + hour, sub: `${world.issuer.uri}/another` }),
      'eyJ',
      '',
    ].entries()) {
      world.issuer.behave(replyBytes(Buffer.from(wrong)))
      await turnClock(world.stores.db, `${10 * index} seconds`)
      expect(await presentAndVerify({ issuer, query: queries.pid, now }, trust)).toMatchObject({
        status: 'failed',
        claims: {},
      })
    }
    expect(world.issuer.asked).toBe(4)
    expect(await world.stores.db.query(sql`select from status_lists`)).toEqual([])
  })

  test('that is older than the one before does not undo a revocation', async () => {
    await using world = await openStatusWorld()
    const now = await clockOf(world.stores.db)
    world.issuer.serve({ iat: now, ttl: 300, exp: now + day })
    await world.lookUp()

    await turnClock(world.stores.db, '400 seconds')
    world.issuer.serve({ iat: now - 100, ttl: 300, exp: now + day })
    expect(await world.lookUp()).toBeUndefined()

    await turnClock(world.stores.db, '500 seconds')
    world.issuer.serve({ iat: now + 1, ttl: 300, exp: now + day })
    const token = await world.lookUp()
    expect(token && openStatusList(token)).toMatchObject({ value: { issued_at: now + 1 } })
  })

  test('that is from the future is not kept, so that it keeps no right one out', async () => {
    await using world = await openStatusWorld()
    const now = await clockOf(world.stores.db)
    world.issuer.serve({ iat: now + hour, exp: now + day })
    await world.lookUpAt(now)
    world.issuer.serve({ iat: now, exp: now + day })
    const token = await world.lookUpAt(now + 10)
    expect(token && openStatusList(token)).toMatchObject({ value: { issued_at: now } })
  })
})
