import { setClockOffset } from '../apps/service/test/database/clock.ts'
import { startService } from '../apps/service/test/service.ts'
import { signIn } from '../apps/service/test/sign-in/browser.ts'
import { identifier, sql } from '../apps/service/src/engine/db/sql.ts'
import { indexVerifications } from '../apps/service/src/verifications/metadata/index-verifications.ts'
import { round, summarize, type Bench } from './figure.ts'

const verifications = Number(process.env['VERIFICATIONS'] ?? 100_000)
const days = 40
const searches = 30

/**
 * Finding one of many verifications by a value of its metadata, over the API and as the dashboard's search does, and one that many have.
 * `VERIFICATIONS=1000000` fills the database with more; they are of one tenant, spread over 40 days.
 */
export const benches: Record<string, Bench> = {
  'metadata.find': async () => {
    await using service = await startService()
    const { db } = service.ctx
    const merchant = await service.tenant({ daily_quota: 2_000_000_000 })
    await setClockOffset(db, '0 days')
    const long = { statement_ms: 600_000 }
    const perDay = verifications / days
    const filled = performance.now()
    for (let day = 1; day <= days; day += 1) {
      await db.query(sql`
        select make_partitions('verification_sessions', service_day() - ${day}::integer, service_day() - ${day}::integer)`)
      await db.transaction(
        (tx) =>
          tx.execute(sql`
            insert into verification_sessions (day, id, tenant_id, environment, metadata, certificate, created_at, expires_at)
            select d.day, 'vs_0' || encode(uuid_send(gen_random_uuid()), 'hex'), ${merchant.tenant_id}, 'test',
              jsonb_build_object('order', 'W-' || (${day}::integer * 1000000 + n), 'channel', case n % 10 when 0 then 'app' else 'web' end),
              sha256('certificate'), d.day::timestamptz + n * interval '20 milliseconds', d.day::timestamptz + interval '1 day'
            from (select service_day() - ${day}::integer as day) d cross join generate_series(1, ${perDay}::integer) n`),
        long,
      )
      await db.execute(sql`
        insert into usage_days (tenant_id, day, used) values (${merchant.tenant_id}, service_day() - ${day}::integer, ${perDay})`)
    }
    const { id } = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
    const indexed = performance.now()
    await indexVerifications(service.ctx)
    const index_us = ((performance.now() - indexed) * 1000) / verifications
    for (const table of ['verification_sessions', 'verification_metadata'])
      await db.transaction((tx) => tx.execute(sql`analyze ${identifier(table)}`), long)

    const owner = await signIn(service, merchant)
    const order = () => `W-${Math.ceil(Math.random() * days) * 1_000_000 + Math.ceil(Math.random() * perDay)}`
    const time = async (find: () => Promise<number>, expected: number) => {
      const times: number[] = []
      for (let search = 0; search < searches; search += 1) {
        const started = performance.now()
        const found = await find()
        times.push(performance.now() - started)
        if (found !== expected) throw new Error(`found ${found} instead of ${expected}`)
      }
      return times
    }
    const list = (pair: string) => async () =>
      (await merchant.get(`/v1/verifications?${pair}`)).body.data.length
    const search = (text: () => string) => async () =>
      (await owner.call('search', { params: { environment: 'test' }, query: { text: text() } })).body
        .verifications.length
    return [
      { name: 'metadata.verifications', value: verifications, unit: 'rows' },
      { name: 'metadata.fill', value: round((indexed - filled) / 1000), unit: 's' },
      { name: 'metadata.index', value: round(index_us), unit: 'µs each' },
      summarize('metadata.api', 'ms', await time(() => list(`metadata[order]=${order()}`)(), 1)),
      summarize('metadata.api.none', 'ms', await time(list('metadata[order]=W-0'), 0)),
      summarize('metadata.api.common', 'ms', await time(list('metadata[channel]=web'), 20)),
      summarize('metadata.search', 'ms', await time(search(order), 1)),
      summarize(
        'metadata.search.none',
        'ms',
        await time(
          search(() => `none ${id}`),
          0,
        ),
      ),
    ]
  },
}
