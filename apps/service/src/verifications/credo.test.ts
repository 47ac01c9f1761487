import { X509Certificate } from 'node:crypto'
import { openCredoHolder } from '@vidimus/wallets'
import { expect, test } from 'vitest'
import { claims, queries } from '../../../../packages/wallets/test/queries.ts'
import { startService } from '../../test/service.ts'
import { sql } from '../platform/db/sql.ts'
import { openSandboxIssuer } from '../trust/sandbox/open-issuer.ts'

test.each(['dc+sd-jwt', 'mso_mdoc'] as const)(
  '[WREQ-2] [WRES-6] a Credo holder answers the running service over HTTP: %s',
  { timeout: 60_000 },
  async (format) => {
    await using service = await startService()
    const merchant = await service.tenant()
    const { body: created } = await merchant.post('/v1/verifications', { query: queries[format] })
    const [access] = await service.ctx.db.query<{ chain: string }>(sql`select chain from access_certificates`)
    const root = access?.chain.split(/(?=-----BEGIN)/).at(-1) ?? ''
    await using holder = await openCredoHolder({
      issuer: await openSandboxIssuer(service.ctx),
      now: new Date(),
      // The service believes in its public address; the test knows where it really listens.
      fetch: (url, init) =>
        fetch(requestUrl(url).replace(service.ctx.config.BASE_URL, service.address), init),
      trusted: [new X509Certificate(root).raw],
      insecure: true,
    })

    const answered = await holder.answer(created.wallet_uri)

    expect(answered).toMatchObject({ ok: true })
    const { body } = await merchant.get(`/v1/verifications/${created.id}`)
    expect(body).toMatchObject({ status: 'completed', claims: claims[format] })
  },
)

function requestUrl(url: string | URL | Request): string {
  return url instanceof Request ? url.url : String(url)
}
