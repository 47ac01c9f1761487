import { exportAnchors, toPem, type Format, type Issuer } from '@vidimus/sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { caller } from '../../../test/caller.ts'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { reply } from '../../../test/network/receiver.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { queries } from '../../../test/trust/presentation.ts'
import {
  replyBytes,
  startStatusIssuer,
  writeCrl,
  type CrlContent,
} from '../../../test/trust/status-issuer.ts'
import { openWallet } from '../../../test/wallet.ts'
import { sql } from '../../engine/db/sql.ts'
import { setPolicies } from '../../accounts/tenants/tenant-settings.ts'
import { addTenantAnchors } from '../../trust/tenant/change-anchors.ts'

type StatusIssuer = Awaited<ReturnType<typeof startStatusIssuer>>
type FormatCase = { format: Format; query: object; root: 'persons' | 'mobile'; signer: 'pid' | 'mdl' }

const formats: FormatCase[] = [
  { format: 'dc+sd-jwt', query: queries.pid, root: 'persons', signer: 'pid' },
  { format: 'mso_mdoc', query: queries.mdl, root: 'mobile', signer: 'mdl' },
]
const environment = { WEBHOOK_EGRESS_ALLOW: '127.0.0.1/32' }
const hour = 3600

let issuer: StatusIssuer
beforeAll(async () => {
  issuer = await startStatusIssuer({ publishes_crls: true, host: '127.0.0.1' })
})
afterAll(() => issuer[Symbol.asyncDispose]())

/** A merchant that trusts the issuer, and what it reads after a wallet has responded. */
async function openMerchant(service: Service, known?: Merchant) {
  const merchant = known ?? (await service.tenant())
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const pem = exportAnchors(issuer.issuer).map(({ certificate }) => toPem(certificate))
  if (known === undefined)
    await addTenantAnchors(service.ctx, { by, environment: 'test', pem: pem.join('\n') })
  return {
    merchant,
    respond: async ({ format, query }: FormatCase) => {
      const { body: created } = await merchant.post('/v1/verifications', { query })
      const wallet = await openWallet(service.ctx, service.address, { format, issuer: issuer.issuer })
      await wallet.respond(created.wallet_uri)
      return (await merchant.get(`/v1/verifications/${created.id}`)).body
    },
  }
}

function serveCrls(content: Omit<CrlContent, 'issuer'>): void {
  issuer.serveCrl((socket, request) => {
    const root = request.line.includes('/crl/persons') ? 'persons' : 'mobile'
    replyBytes(writeCrl(root, { issuer: issuer.issuer, ...content }))(socket, request)
  })
}

function signersOf({ signers }: Issuer): Uint8Array[] {
  return [signers.pid, signers.mdl].flatMap(({ chain }) => chain.slice(0, 1))
}

function seconds(): number {
  return Math.floor(Date.now() / 1000)
}

describe('[TRUST-20] over HTTP, with the lists of an authority on a server of its own', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ environment })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test.each(formats)('a credential completes in $format if no certificate was revoked', async (format) => {
    issuer.setBehaviour(undefined)
    const { respond } = await openMerchant(service)
    expect(await respond(format)).toMatchObject({ status: 'completed' })
    const paths = issuer.receiver.received.map(({ line }) => line.split(' ')[1])
    expect(paths).toContain(`/status/crl/${format.root}_issuing/current.crl`)
  })
})

test.each(formats)(
  '[TRUST-20] a revoked signer fails in $format, and an older list does not undo that',
  async (format) => {
    await using database = await createTestDatabase()
    const open = () =>
      startService({ environment, database: { url: database.url, [Symbol.asyncDispose]: async () => {} } })
    const now = seconds()
    serveCrls({ issued_at: now - 60, next_update: now + hour, revoked: signersOf(issuer.issuer) })
    let merchant: Merchant
    {
      await using service = await open()
      const opened = await openMerchant(service)
      merchant = opened.merchant
      const result = await opened.respond(format)
      expect(result).toMatchObject({ status: 'failed', error: { code: 'issuer_untrusted' } })
      expect(result.error.message).toContain('issuer_certificate_revocation')
      // The copy expires, so that the list has to be fetched again, by a process that has none in memory.
      await service.ctx.db.execute(
        sql`update revocation_lists set lapses_at = service_now() where media = 'crl'`,
      )
    }
    serveCrls({ issued_at: now - hour, next_update: now + hour })
    {
      await using service = await open()
      const { respond } = await openMerchant(service, reopen(service, merchant))
      expect(await respond(format)).toMatchObject({ status: 'failed', error: { code: 'status_unavailable' } })
    }
    serveCrls({ issued_at: now, next_update: now + hour })
    {
      await using service = await open()
      const { respond } = await openMerchant(service, reopen(service, merchant))
      expect(await respond(format)).toMatchObject({ status: 'completed' })
    }
  },
)

/** The same tenant at another process. */
function reopen({ address }: Service, merchant: Merchant): Merchant {
  return { ...merchant, ...caller(address, merchant.key) }
}

test.each(formats)(
  'without a revocation list the policy decides in $format: failed, or completed with a warning',
  async (format) => {
    await using service = await startService({ environment })
    issuer.serveCrl(reply(503))
    const { merchant, respond } = await openMerchant(service)
    const failed = await respond(format)
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'status_unavailable' } })
    expect(failed.error.message).toContain('issuer_certificate_crl')

    await setPolicies(service.ctx, { tenant_id: merchant.tenant_id, status_unavailable: 'warning' })
    const { credentials, status } = await respond(format)
    expect(status).toBe('completed')
    expect(credentials[0].findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ check: 'issuer_certificate_crl', status: 'warning' }),
      ]),
    )

    // A wrong list is no better, whatever the policy says.
    const now = seconds()
    const stranger = await startStatusIssuer({ publishes_crls: true, host: '127.0.0.1' })
    issuer.serveCrl((socket, request) =>
      replyBytes(writeCrl(format.root, { issuer: stranger.issuer, issued_at: now, next_update: now + hour }))(
        socket,
        request,
      ),
    )
    await stranger[Symbol.asyncDispose]()
    await expect
      .poll(async () => (await respond(format)).status, { timeout: 20_000, interval: 1000 })
      .toBe('failed')
  },
)
