import { X509Certificate } from 'node:crypto'
import type { Context } from '../../context.ts'
import { readTenantIdentityPage } from './store.ts'

/** When the certificate and the registration that a tenant has set itself end. */
export type IdentityEnds = {
  tenant_id: string
  certificate?: { fingerprint: string; subject: string; expires_at: string }
  registration?: { fingerprint: string; expires_at: string }
}

const pageSize = 200

/** The ends of every tenant's own certificate and registration, page by page. */
export async function* listIdentityEnds({ db }: Pick<Context, 'db'>): AsyncGenerator<IdentityEnds[]> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await readTenantIdentityPage(db, { after, limit: pageSize })
    yield rows.map(({ tenant_id, certificate, chain, verifier_info, body }) => {
      const registered_until = body === null ? undefined : readRegistrationEnd(body)
      return {
        tenant_id,
        ...(certificate !== null && chain !== null && { certificate: describeEnd(certificate, chain) }),
        ...(verifier_info !== null &&
          registered_until !== undefined && {
            registration: { fingerprint: verifier_info.toString('hex'), expires_at: registered_until },
          }),
      }
    })
    if (rows.length < pageSize) return
    after = rows.at(-1)?.tenant_id ?? after
  }
}

function describeEnd(hash: Buffer, chain: string): NonNullable<IdentityEnds['certificate']> {
  const { subject, validToDate } = new X509Certificate(chain)
  return {
    fingerprint: hash.toString('hex'),
    subject: subject.split('\n').join(', '),
    expires_at: toTimestamp(validToDate),
  }
}

/** The earliest `exp` of the attestations that are JWTs, as registration certificates are (ETSI TS 119 475). Others have no end that we can read. */
function readRegistrationEnd(verifierInfo: string): string | undefined {
  // Validated when it was set.
  const attestations = JSON.parse(verifierInfo) as { data: unknown }[]
  const ends = attestations.flatMap(({ data }) => (typeof data === 'string' ? readJwtEnd(data) : []))
  return ends.length === 0 ? undefined : toTimestamp(new Date(Math.min(...ends) * 1000))
}

function readJwtEnd(token: string): number[] {
  const [, payload] = token.split('.')
  if (payload === undefined) return []
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    if (typeof claims !== 'object' || claims === null || !('exp' in claims)) return []
    const { exp } = claims
    return typeof exp === 'number' && exp > 0 && exp < maxSeconds ? [exp] : []
  } catch {
    // Not a JWT.
    return []
  }
}

/** The end of the year 9999. */
const maxSeconds = 253_402_300_800

function toTimestamp(date: Date): string {
  return date.toISOString().replace('Z', '000Z')
}
