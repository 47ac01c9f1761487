import { createHash, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { appendAudit } from '../../audit/append.ts'
import type { Context } from '../../context.ts'
import type { Member } from '../../platform/principal.ts'
import { Refusal } from '../../platform/refusal.ts'
import { readIdentity, sealKey, type Identity } from './open-identity.ts'
import { readClock } from '../../platform/db/read-clock.ts'
import { insertCertificate, insertVerifierInfo, setTenantIdentity } from './store.ts'

export type SetIdentity = {
  tenant_id: string
  /** A member of the tenant; absent: the operator who runs the command. */
  by?: Member
  /** PEM: the chain, leaf first, and its key. `null`: back to the service's own. Absent: unchanged. */
  certificate?: { chain: string; key: string } | null | undefined
  /** The JSON text of a `verifier_info`. `null`: none. Absent: unchanged. */
  verifier_info?: string | null | undefined
}

/** OpenID4VP 1.0 §5.11. Every request of the tenant carries it, so it cannot name the credentials of a single query. */
const VerifierInfo = z
  .array(
    z.strictObject({
      format: z.string().min(1).max(100),
      data: z.union([z.string().min(1), z.looseObject({})]),
    }),
  )
  .min(1)
  .max(10)
const maxVerifierInfo_characters = 64 * 1024

/** Sets the verifier identity of a tenant's future sessions. Open sessions keep the identity they were created with. */
export async function setIdentity(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  { tenant_id, by, certificate, verifier_info }: SetIdentity,
): Promise<void> {
  const identity = certificate && readCertificate(certificate, new Date(await readClock(db)))
  const info = typeof verifier_info === 'string' ? readVerifierInfo(verifier_info) : undefined
  await db.transaction(async (tx) => {
    if (certificate && identity) {
      const { hash } = identity
      const sealed_key = sealKey(keyring, certificate.key)
      await insertCertificate(tx, {
        hash,
        chain: certificate.chain,
        sealed_key,
        tenant_id: null,
        self_made: false,
      })
    }
    if (info !== undefined) await insertVerifierInfo(tx, info)
    const known = await setTenantIdentity(tx, {
      tenant_id,
      certificate: certificate === null ? null : identity?.hash,
      verifier_info: verifier_info === null ? null : info?.hash,
    })
    if (!known) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    await appendAudit(tx, {
      action: 'tenant.identity_changed',
      by: by ?? { kind: 'operator', tenant_id },
      detail: {
        ...(certificate !== undefined && { client_id: identity?.client_id ?? null }),
        ...(verifier_info !== undefined && { verifier_info: info?.hash.toString('hex') ?? null }),
      },
    })
  })
}

function readCertificate({ chain, key }: { chain: string; key: string }, now: Date): Identity {
  let identity: Identity
  try {
    identity = readIdentity(chain, key)
  } catch (error) {
    // OpenSSL throws if the certificate or the key is malformed, identifyVerifier if no wallet would accept the chain.
    throw certificateRefusal(error instanceof Error ? error.message : 'it cannot be read')
  }
  const { validFromDate, validToDate } = new X509Certificate(chain)
  if (now < validFromDate || now > validToDate) throw certificateRefusal('it is not valid now')
  return identity
}

function certificateRefusal(why: string): Refusal {
  return new Refusal('invalid_request', `The certificate was not accepted: ${why}.`)
}

function readVerifierInfo(text: string): { hash: Buffer; body: string } {
  const parsed =
    text.length > maxVerifierInfo_characters ? undefined : VerifierInfo.safeParse(parseJson(text))
  if (parsed?.success !== true) {
    const issue = parsed?.error.issues[0]
    const why = issue === undefined ? 'it is too long' : `${issue.path.join('.')} ${issue.message}`.trim()
    throw new Refusal('invalid_request', `The verifier_info was not accepted: ${why}.`)
  }
  const body = JSON.stringify(parsed.data)
  return { hash: createHash('sha256').update(body).digest(), body }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The schema then reports that it expected an array.
    return undefined
  }
}
