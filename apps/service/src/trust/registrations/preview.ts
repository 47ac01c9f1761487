import type { RegistrationInput, RegistrationPreview } from '@vidimus/contract'
import type { TrustContext } from '../context.ts'
import { checkCertificate } from './check/check-certificate.ts'
import { findFailure } from './check/describe-finding.ts'
import { readInput } from './read-input.ts'
import { viewUse } from './view.ts'

/** What adding a registration certificate would find. Stores nothing but the copy of its status list. */
export async function previewRegistration(
  ctx: TrustContext,
  { tenant_id, ...input }: RegistrationInput & { tenant_id: string },
): Promise<RegistrationPreview> {
  const { findings, contents } = await checkCertificate(ctx, { tenant_id, ...readInput(input) })
  return {
    accepted: contents !== undefined && findFailure(findings) === undefined,
    findings,
    ...(contents !== undefined && { use: viewUse(contents) }),
  }
}
