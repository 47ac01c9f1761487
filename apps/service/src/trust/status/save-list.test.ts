import { openStatusList, type TrustContext } from '@vidimus/protocol'
import { exportAnchors } from '@vidimus/sandbox'
import { describe, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { presentAndVerify, queries } from '../../../test/trust/presentation.ts'
import { reply } from '../../../test/network/receiver.ts'
import { replyBytes, signList } from '../../../test/trust/status-issuer.ts'
import { openStatusFixture } from '../../../test/trust/status-fixture.ts'
import { readClock } from '../../../test/database/stores.ts'
import { sql } from '../../engine/db/sql.ts'

const hour = 3600
const day = 86_400

describe('[TRUST-4] a list is stored for its lifetime', () => {
  test.each<[string, { exp?: number; ttl?: number }, number]>([
    ['for its ttl', { ttl: 600, exp: day }, 600],
    ['until it expires, if that is sooner', { ttl: 600, exp: 300 }, 300],
    ['until it expires, without a ttl', { exp: 1800 }, 1800],
    ['for an hour, if it has neither', {}, hour],
    ['for an hour without a ttl, however late it expires', { exp: 30 * day }, hour],
    ['for a day at most', { ttl: 400 * day }, day],
  ])('%s', async (_what, { exp, ttl }, life) => {
    await using fixture = await openStatusFixture()
    const now = await readClock(fixture.stores.db)
    const claims = {
      iat: now,
      ...(exp !== undefined && { exp: now + exp }),
      ...(ttl !== undefined && { ttl }),
    }
    fixture.issuer.serve(claims)

    await fixture.lookUp()
    await setClockOffset(fixture.stores.db, `${life - 20} seconds`)
    expect(await fixture.lookUp()).toBeDefined()
    expect(fixture.issuer.requestCount).toBe(1)

    fixture.issuer.setBehaviour(reply(503))
    await setClockOffset(fixture.stores.db, `${life + 20} seconds`)
    expect(await fixture.lookUp()).toBeUndefined()
    expect(fixture.issuer.requestCount).toBe(2)
  })

  test('and with a lifetime of zero is used only once', async () => {
    await using fixture = await openStatusFixture()
    const now = await readClock(fixture.stores.db)
    fixture.issuer.serve({ iat: now, exp: now + hour, ttl: 0 })

    expect(await fixture.lookUp()).toBeDefined()
    expect(await fixture.stores.db.query(sql`select from revocation_lists`)).toEqual([])
  })

  test('and numbers outside every calendar do no harm', async () => {
    await using fixture = await openStatusFixture()
    const now = await readClock(fixture.stores.db)
    for (const claims of [
      { iat: now, exp: 1e300, ttl: 1e300 },
      { iat: -1e300, exp: now + hour },
      { iat: now, ttl: -5 },
    ]) {
      fixture.issuer.serve(claims)
      expect(await fixture.lookUp(`${fixture.issuer.base}/${claims.iat}/${claims.ttl}`)).toBeDefined()
    }
  })
})

describe('[TRUST-4] an invalid list', () => {
  test('is no better than none: the check fails whatever the policy, and the list is not stored', async () => {
    await using fixture = await openStatusFixture()
    const { issuer } = fixture.issuer
    const now = await readClock(fixture.stores.db)
    const trust: TrustContext = {
      anchors: exportAnchors(issuer),
      lookUpStatus: fixture.lookUp,
      status_unavailable: 'warning',
    }
    const good = signList(issuer, { iat: now, exp: now + hour, sub: fixture.issuer.uri })

    for (const [index, wrong] of [
      `${good.slice(0, -8)}AAAAAAAA`,
      signList(issuer, { iat: now, exp: now + hour, sub: `${fixture.issuer.uri}/another` }),
      'eyJ',
      '',
    ].entries()) {
      fixture.issuer.setBehaviour(replyBytes(Buffer.from(wrong)))
      await setClockOffset(fixture.stores.db, `${10 * index} seconds`)
      expect(await presentAndVerify({ issuer, query: queries.pid, now }, trust)).toMatchObject({
        status: 'failed',
        claims: {},
      })
    }
    expect(fixture.issuer.requestCount).toBe(4)
    expect(await fixture.stores.db.query(sql`select from revocation_lists`)).toEqual([])
  })

  test('that is older than the previous one does not undo a revocation', async () => {
    await using fixture = await openStatusFixture()
    const now = await readClock(fixture.stores.db)
    fixture.issuer.serve({ iat: now, ttl: 300, exp: now + day })
    await fixture.lookUp()

    await setClockOffset(fixture.stores.db, '400 seconds')
    fixture.issuer.serve({ iat: now - 100, ttl: 300, exp: now + day })
    expect(await fixture.lookUp()).toBeUndefined()

    await setClockOffset(fixture.stores.db, '500 seconds')
    fixture.issuer.serve({ iat: now + 1, ttl: 300, exp: now + day })
    const token = await fixture.lookUp()
    expect(token && openStatusList(token)).toMatchObject({ value: { issued_at: now + 1 } })
  })

  test('that was issued in the future is not stored, so that it does not block a valid one', async () => {
    await using fixture = await openStatusFixture()
    const now = await readClock(fixture.stores.db)
    fixture.issuer.serve({ iat: now + hour, exp: now + day })
    await fixture.lookUpAt(now)
    fixture.issuer.serve({ iat: now, exp: now + day })
    const token = await fixture.lookUpAt(now + 10)
    expect(token && openStatusList(token)).toMatchObject({ value: { issued_at: now } })
  })
})
