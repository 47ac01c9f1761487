import { createHash } from 'node:crypto'
import type { AddRegistration, RegistrationDetail } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import type { TrustContext } from '../context.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { lockPlanLimits } from '../../accounts/index.ts'
import { checkCertificate } from './check/check-certificate.ts'
import { describeFinding, findFailure } from './check/describe-finding.ts'
import { keepBothEncodings } from './compose.ts'
import { suggestName } from './contents.ts'
import { getRegistration } from './get.ts'
import { readInput } from './read-input.ts'
import { countRegistrations, insertRegistration, maxRegistrations, setDefault } from './store.ts'

/**
 * Checks a registration certificate and stores it for new sessions. Refused if a check fails; warnings are stored with it. A
 * tenant's first registration is its default.
 */
export async function addRegistration(
  ctx: TrustContext,
  { by, name, default: asDefault = false, ...input }: AddRegistration & { by: NewAuditEntry['by'] },
): Promise<RegistrationDetail> {
  const { tenant_id } = by
  const { token, dataset } = readInput(input)
  const { findings, contents } = await checkCertificate(ctx, { tenant_id, token, dataset })
  const failure = findFailure(findings)
  if (contents === undefined || failure !== undefined)
    throw new Refusal(
      'registration_not_accepted',
      `The registration was not accepted. ${failure === undefined ? 'It cannot be read' : describeFinding(failure)}.`,
    )

  const fingerprint = createHash('sha256').update(token).digest()
  const id = await ctx.db.transaction(async (tx) => {
    if ((await lockPlanLimits(ctx, tx, tenant_id)) === undefined)
      throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    const others = await countRegistrations(tx, tenant_id)
    if (others >= maxRegistrations)
      throw new Refusal('too_many', `A tenant can have at most ${maxRegistrations} registrations.`)
    const inserted = await insertRegistration(tx, {
      tenant_id,
      name: name ?? suggestName(contents),
      token,
      fingerprint,
      contents,
      dataset: dataset ?? null,
      ...(await keepBothEncodings(tx, { token, contents, dataset })),
      findings,
      expires_at: contents.expires_at ?? null,
    })
    if (inserted === undefined)
      throw new Refusal('registration_exists', 'The tenant has this registration already.')
    const is_default = asDefault || others === 0
    if (is_default) await setDefault(tx, { tenant_id, id: inserted })
    await appendAudit(tx, {
      action: 'registration.added',
      by,
      subject: inserted,
      detail: {
        fingerprint: fingerprint.toString('hex'),
        default: is_default,
        findings: findings.map(({ code }) => code),
      },
    })
    return inserted
  })
  return getRegistration(ctx, { tenant_id, id })
}
