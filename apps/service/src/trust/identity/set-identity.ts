import { X509Certificate } from 'node:crypto'
import { accessKinds } from '@vidimus/contract'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { lockActingMember, makerOf } from '../../accounts/index.ts'
import { type Member, Refusal } from '../../engine/basics/index.ts'
import { readIdentity, sealKey, type Identity } from './open-identity.ts'
import { readClock } from '../../engine/db/index.ts'
import { insertCertificate, setTenantIdentity } from './store.ts'

export type SetIdentity = {
  tenant_id: string
  /** A member of the tenant; absent: the operator who runs the command. */
  by?: Member
  /** PEM: the chain, leaf first, and its key. `null`: back to the service's own. */
  certificate: { chain: string; key: string } | null
}

/** Sets the access certificate of a tenant's future sessions. Open sessions keep the one they were created with. */
export async function setIdentity(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  { tenant_id, by, certificate }: SetIdentity,
): Promise<void> {
  const identity = certificate && readCertificate(certificate, new Date(await readClock(db)))
  const actor = by ?? ({ kind: 'operator', tenant_id } as const)
  await db.transaction(async (tx) => {
    await lockActingMember(tx, actor, ...accessKinds.access_certificate.needs)
    if (certificate !== null && identity !== null)
      await insertCertificate(tx, {
        hash: identity.hash,
        chain: certificate.chain,
        sealed_key: sealKey(keyring, certificate.key),
        key_uri: null,
        tenant_id: null,
        self_made: false,
      })
    const known = await setTenantIdentity(tx, {
      tenant_id,
      certificate: identity?.hash ?? null,
      created_by: makerOf(actor),
    })
    if (!known) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    await appendAudit(tx, {
      action: 'tenant.identity_changed',
      by: actor,
      detail: { client_id: identity?.client_id ?? null },
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
