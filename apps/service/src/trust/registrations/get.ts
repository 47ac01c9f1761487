import type { RegistrationDetail } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/basics/index.ts'
import { readVerifierInfo } from '../identity/keep-verifier-info.ts'
import { getRegistrationSettings } from './settings.ts'
import { findCertificate, findRegistration, type RegistrationKey } from './store.ts'
import { viewRegistration, viewUse } from './view.ts'

/** A registration with what it says, what its last check found, and how requests carry it. */
export async function getRegistration(
  ctx: Pick<Context, 'db'>,
  key: RegistrationKey,
): Promise<RegistrationDetail> {
  const [row, certificate, { encoding }] = await Promise.all([
    findRegistration(ctx.db, key),
    findCertificate(ctx.db, key),
    getRegistrationSettings(ctx, key.tenant_id),
  ])
  if (row === undefined || certificate === undefined) throw notFound('registration_not_found')
  const { info_base64url, info_jwt, fingerprint, dataset } = certificate
  return {
    ...viewRegistration(row),
    use: viewUse(row.contents),
    findings: row.findings,
    fingerprint: fingerprint.toString('hex'),
    verifier_info: await readVerifierInfo(ctx, encoding === 'jwt' ? info_jwt : info_base64url),
    has_dataset: dataset !== null,
  }
}
