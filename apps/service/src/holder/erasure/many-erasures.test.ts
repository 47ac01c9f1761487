import { randomBytes, randomInt } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { changedTables, digestTables, prepareDigests } from '../../../test/database/table-digests.ts'
import { respondUntilAccepted } from '../../../test/respond-until-accepted.ts'
import { startService, type Merchant } from '../../../test/service.ts'
import { erasureAddress, setHolderPage } from '../../accounts/tenants/holder-page.ts'
import { sql } from '../../engine/db/sql.ts'
import { writeErasureCode } from './erasure-code.ts'

const service = await startService()
const { ctx, anonymous } = service
afterAll(() => service[Symbol.asyncDispose]())

const holders = 1000
const kept = 200
const attempts = 10_000

async function newMerchant(holder_erasure: 'off' | 'ask_merchant' | 'automatic'): Promise<Merchant> {
  const merchant = await service.tenant({ daily_quota: 10_000 })
  await setHolderPage(ctx, { by: { kind: 'operator', tenant_id: merchant.tenant_id }, holder_erasure })
  return merchant
}

/** Runs tasks, at most `width` at a time. */
async function runAll<Result>(width: number, tasks: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const work = async () => {
    for (let at = next++; at < tasks.length; at = next++) {
      const task = tasks[at]
      if (task !== undefined) results.push(await task())
    }
  }
  await Promise.all(Array.from({ length: width }, work))
  return results
}

/** One in four has claims that identify somebody. */
async function verify(merchant: Merchant, index: number): Promise<string> {
  const template = index % 4 === 0 ? 'identity_basic' : 'age_over_18'
  const { body } = await merchant.post('/v1/verifications', { template })
  await respondUntilAccepted(service, body.wallet_uri)
  return body.id
}

const codeOf = ({ tenant_id }: Merchant, id: string) => writeErasureCode(ctx.keyring, { tenant_id, id })

type Reply = { kind: string; spent_ms: number; shown: string }

async function ask(merchant: Merchant, code: string, kind: string): Promise<Reply> {
  const path = new URL(erasureAddress(ctx, merchant)).pathname
  const started = performance.now()
  const { status, headers, text } = await anonymous.request('POST', path, {
    raw: new URLSearchParams({ code }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const spent_ms = performance.now() - started
  const same = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  return { kind, spent_ms, shown: JSON.stringify([status, same, text.replace(/er_[\w-]{22}/, 'er_')]) }
}

/** How much is left of those that were to be erased, in any table, and how many of the others are gone. */
async function survey(erased: readonly string[], others: readonly string[]) {
  const [row] = await ctx.db.query<{ left: number; lost: number }>(sql`
    select (select count(*) from verification_sessions where id = any(${erased}))
      + (select count(*) from verification_results where verification_id = any(${erased}))
      + (select count(*) from verification_receipts where verification_id = any(${erased}))
      + (select count(*) from erasure_requests where verification_id = any(${erased}))
      + (select count(*) from audit_texts where subject = any(${erased}))
      + (select count(*) from audit_inbox where subject = any(${erased})) as left,
      cardinality(${others}::text[]) - (
        select count(*) from verification_sessions s
        join verification_results r on r.purge_day = s.purge_day and r.verification_id = s.id
        where s.id = any(${others})) as lost`)
  return row
}

/** How likely one is slower than the other: a half if their times cannot be told apart (Mann-Whitney). */
function probabilitySlower(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((ms) => ({ ms, own: true })), ...other.map((ms) => ({ ms, own: false }))]
  let ranks = 0
  for (const [index, { own }] of all.toSorted((a, b) => a.ms - b.ms).entries()) if (own) ranks += index + 1
  return (ranks - (one.length * (one.length + 1)) / 2) / (one.length * other.length)
}

const quantile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0
const median = (values: readonly number[]) => quantile(values, 0.5)

/** In any order, so that none of them meets a busier machine than the others. */
function shuffle<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: randomInt(2 ** 32) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

test(
  '[HOLDER-1] [HOLDER-2] of 1,000 erasures among 10,000 attempts nothing is left, nothing of others is lost, and nobody learns which were right',
  { timeout: 900_000 },
  async () => {
    const merchants = [await newMerchant('automatic'), await newMerchant('automatic')]
    const unwilling = await newMerchant('off')
    const asking = await newMerchant('ask_merchant')
    const own = await runAll(
      6,
      Array.from({ length: holders + kept }, (_, index) => async () => {
        const merchant = merchants[index % 2] ?? asking
        return { merchant, id: await verify(merchant, index) }
      }),
    )
    const [erased, others] = [own.slice(0, holders), own.slice(holders)]
    const ids = (list: typeof own) => list.map(({ id }) => id)
    const idle = await Promise.all(
      [unwilling, asking].map(async (merchant) => ({ merchant, id: await verify(merchant, 0) })),
    )
    expect(await survey(ids(erased), ids(others))).toMatchObject({ lost: 0 })

    const right = await Promise.all(
      erased.map(async ({ merchant, id }) => ({ merchant, code: await codeOf(merchant, id), kind: 'right' })),
    )
    const [last, ...first] = right
    const [off, waiting] = await Promise.all(idle.map(({ merchant, id }) => codeOf(merchant, id)))
    const probes = await Promise.all(
      Array.from({ length: attempts }, async (_, index) => {
        const { merchant, id } = others[index % others.length] ??
          others[0] ??
          own[0] ?? { merchant: asking, id: '' }
        const mac = randomBytes(16).toString('base64url')
        switch (index % 10) {
          case 0:
            return { merchant: unwilling, code: off ?? '', kind: 'off' }
          case 1:
            return { merchant: asking, code: waiting ?? '', kind: 'waiting' }
          case 2:
            return { merchant, code: randomBytes(40).toString('base64url'), kind: 'malformed' }
          case 3:
            // That of another tenant, right there.
            return {
              merchant: merchant === merchants[0] ? (merchants[1] ?? asking) : (merchants[0] ?? asking),
              code: await codeOf(merchant, id),
              kind: 'foreign',
            }
          default:
            return { merchant, code: `ve_${id.slice(3)}${mac}`, kind: 'wrong' }
        }
      }),
    )
    const replies = await runAll(
      150,
      shuffle([...first, ...probes]).map(
        ({ merchant, code, kind }) =>
          () =>
            ask(merchant, code, kind),
      ),
    )
    // The check sees one that is left, and then one that is lost.
    expect((await survey(ids(erased), ids(others)))?.left).toBeGreaterThan(0)
    if (last !== undefined) replies.push(await ask(last.merchant, last.code, 'right'))
    expect(await survey(ids(erased), ids(others))).toEqual({ left: 0, lost: 0 })

    const used = await runAll(
      150,
      right.map(
        ({ merchant, code }) =>
          () =>
            ask(merchant, code, 'used'),
      ),
    )
    const all = [...replies, ...used]
    expect(all).toHaveLength(holders * 2 + attempts)
    expect(new Set(all.map(({ shown }) => shown)).size).toBe(1)

    const times = Map.groupBy(replies, ({ kind }) => kind)
    const of = (kind: string) => times.get(kind)?.map(({ spent_ms }) => spent_ms) ?? []
    const compared = ['right', 'off', 'waiting', 'malformed', 'foreign'].map((kind) => ({
      kind,
      count: of(kind).length,
      median_ms: Math.round(median(of(kind)) * 10) / 10,
      slower: Math.round(probabilitySlower(of(kind), of('wrong')) * 1000) / 1000,
    }))
    const wrong = { kind: 'wrong', count: of('wrong').length, median_ms: median(of('wrong')) }
    const spread_ms = quantile(of('wrong'), 0.9) - quantile(of('wrong'), 0.1)
    for (const { slower, median_ms } of compared) {
      expect(Math.abs(slower - 0.5)).toBeLessThan(0.06)
      expect(Math.abs(median_ms - wrong.median_ms)).toBeLessThan(spread_ms / 5)
    }
    // The same test tells a time that is only five milliseconds longer on a quiet machine apart.
    const quiet = Array.from({ length: 1000 }, () => 1000 + randomInt(20))
    expect(
      probabilitySlower(
        quiet.map((ms) => ms + 5),
        quiet,
      ),
    ).toBeGreaterThan(0.6)

    await prepareDigests(ctx.db)
    const before = await digestTables(ctx.db)
    await runAll(
      150,
      Array.from(
        { length: 500 },
        () => () => ask(asking, `ve_${randomBytes(40).toString('base64url')}`, 'wrong'),
      ),
    )
    expect(changedTables(before, await digestTables(ctx.db))).toEqual([])

    const [lost] = others
    if (lost !== undefined) await lost.merchant.delete(`/v1/verifications/${lost.id}`)
    expect(await survey(ids(erased), ids(others))).toEqual({ left: 0, lost: 1 })
  },
)
