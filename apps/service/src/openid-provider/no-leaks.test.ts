import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { openCookieJar } from '../../test/openid/cookie-jar.ts'
import { registerSite } from '../../test/openid/site.ts'
import { startService, type Service } from '../../test/service.ts'
import { sql } from '../platform/db/sql.ts'

test('[OIDC-17] claims are in the tokens and in verification_results, and in no log, URL or other table', async () => {
  const lines: string[] = []
  await using service = await startService({
    onLog: (line) => lines.push(line),
    environment: { LOG_LEVEL: 'trace' },
  })
  const site = await registerSite(service, { templates: ['identity_basic'] })
  const browser = openCookieJar(service)
  const { params, verifier } = site.request()
  const end = await site.authorize(browser, params)
  if (!('id' in end)) throw new Error('There is no verification.')
  const returned = await site.respond(browser, end.id)
  const code = returned.searchParams.get('code') ?? ''
  const { body } = await site.exchange({ code, code_verifier: verifier })
  const { verified } = decodeJwt<{ verified: Record<string, unknown> }>(body.id_token)
  await site.userinfo(body.access_token)

  const values = Object.values(verified).filter((value) => typeof value === 'string' && value.length > 3)
  expect(values.length).toBeGreaterThan(1)
  const found = await findInTables(service, values as string[])
  // The check finds what is there.
  expect(found).toContain('verification_results')
  expect(found.filter((table) => !table.startsWith('verification_results'))).toEqual([])
  const elsewhere = lines.join('\n') + returned.href
  for (const value of values) expect(elsewhere).not.toContain(value)
  const secrets = [code, body.access_token, body.id_token, site.secret, verifier]
  const kept = [
    ...(await findInTables(service, secrets as string[])),
    ...lines.filter((line) => secrets.some((secret) => line.includes(secret as string))),
  ]
  expect(kept).toEqual([])
})

/** The tables with a row that contains one of these texts. */
async function findInTables({ ctx: { db } }: Service, texts: string[]): Promise<string[]> {
  const tables = await db.query<{ name: string }>(sql`
    select c.relname::text as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace and not c.relispartition
    order by c.relname limit 1000`)
  const rows = await Promise.all(
    tables.map(({ name }) =>
      db.query<{ name: string; content: string }>(sql`
        select ${name} as name, query_to_xml(format('select * from %I', ${name}::text), true, false, '')::text as content`),
    ),
  )
  return rows
    .flat()
    .flatMap(({ name, content }) => (texts.some((text) => content.includes(text)) ? [name] : []))
}
