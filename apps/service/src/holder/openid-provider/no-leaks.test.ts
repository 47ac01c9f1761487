import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { findTables } from '../../../test/database/find-text.ts'
import { openCookieJar } from '../../../test/openid/cookie-jar.ts'
import { registerSite } from '../../../test/openid/site.ts'
import { startService } from '../../../test/service.ts'

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
  const found = await findTables(service.ctx.db, ...(values as string[]))
  // The check finds what is there.
  expect(found).toContain('verification_results')
  expect(found.filter((table) => !table.startsWith('verification_results'))).toEqual([])
  const elsewhere = lines.join('\n') + returned.href
  for (const value of values) expect(elsewhere).not.toContain(value)
  const secrets = [code, body.access_token, body.id_token, site.secret, verifier]
  const kept = [
    ...(await findTables(service.ctx.db, ...(secrets as string[]))),
    ...lines.filter((line) => secrets.some((secret) => line.includes(secret as string))),
  ]
  expect(kept).toEqual([])
})
