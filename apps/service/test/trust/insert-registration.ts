import type { VerifierAttestation } from '@vidimus/protocol'
import type { Context } from '../../src/engine/context.ts'
import { insertRegistration, setDefault } from '../../src/trust/registrations/store.ts'
import { keepVerifierInfo } from '../../src/trust/identity/get-identity.ts'

/** A default registration that makes requests carry this `verifier_info`, without a certificate that would be checked. Returns its id. */
export async function insertDefaultRegistration(
  { db }: Pick<Context, 'db'>,
  { tenant_id, verifier_info }: { tenant_id: string; verifier_info: VerifierAttestation[] },
): Promise<string> {
  const hash = await keepVerifierInfo(db, verifier_info)
  const contents = {
    identifiers: [],
    purpose: [],
    service: [],
    entitlements: [],
    credentials: [],
    policy_ids: [],
    support_uris: [],
    issuer: { fingerprint: '' },
    issued_at: 0,
  }
  const id = await insertRegistration(db, {
    tenant_id,
    name: 'Registration',
    token: '',
    fingerprint: hash,
    contents,
    dataset: null,
    info_base64url: hash,
    info_jwt: hash,
    findings: [],
    expires_at: null,
  })
  await setDefault(db, { tenant_id, id: id ?? null })
  return id ?? ''
}
