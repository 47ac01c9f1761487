import { X509Certificate } from 'node:crypto'
import { generateSigningKey, type Format } from '@vidimus/sandbox'
import { independentHolders, independentIssuers } from '@vidimus/wallets'
import { afterAll, expect, test } from 'vitest'
import { claims, queries } from '../../../../../packages/wallets/test/queries.ts'
import { startService } from '../../../test/service.ts'
import { sql } from '../../engine/db/sql.ts'
import { openSandboxIssuer } from '../../trust/sandbox/open-sandbox.ts'

const service = await startService()
const merchant = await service.tenant()
const issuer = await openSandboxIssuer(service.ctx)
const [access] = await service.ctx.db.query<{ chain: string }>(sql`select chain from access_certificates`)
const root = access?.chain.split(/(?=-----BEGIN)/).at(-1) ?? ''
const holders = await Promise.all(
  independentHolders.map(async ({ name, open }) => {
    const opened = await open({
      // The wallet gets the public URL; the test replaces it with the address that the service listens on.
      fetch: (url, init) =>
        fetch(requestUrl(url).replace(service.ctx.config.BASE_URL, service.address), init),
      trustedRoots: [new X509Certificate(root).raw],
      insecure: true,
    })
    return { name, opened }
  }),
)
afterAll(async () => {
  for (const { opened } of holders) await opened[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const formats: Format[] = ['dc+sd-jwt', 'mso_mdoc']
const table = formats.flatMap((format) =>
  independentIssuers.flatMap((from) => holders.map((holder) => ({ format, from, holder }))),
)

test.each(table)(
  '[WREQ-2] [WRES-6] $format issued by $from.name is accepted from $holder.name',
  { timeout: 30_000 },
  async ({ format, from, holder }) => {
    const key = generateSigningKey()
    const credential = await from.issue[format]({ issuer, holderKey: key, now: new Date() })
    const { body: created } = await merchant.post('/v1/verifications', { query: queries[format] })

    const status = await holder.opened.respond(created.wallet_uri, { format, credential, key })

    const { body } = await merchant.get(`/v1/verifications/${created.id}`)
    expect({ status, outcome: body }).toMatchObject({
      status: 200,
      outcome: { status: 'completed', claims: claims[format] },
    })
  },
)

test('the table is three issuers by three holders in two formats', () => {
  expect(table).toHaveLength(18)
})

function requestUrl(url: string | URL | Request): string {
  return url instanceof Request ? url.url : String(url)
}
