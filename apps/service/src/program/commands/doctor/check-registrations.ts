import type { Database } from '../../../engine/db/index.ts'
import { countRegistrationStates } from '../../../trust/index.ts'
import { ok, warning, wrong, type DoctorFinding } from './finding.ts'

const check = 'registrations'
const cure =
  'The tenants have alerts for them. `vidimus registration list --tenant …` shows which, and `registration show` why.'

/** The tenants' registrations, without which wallets warn of their requests or refuse them. */
export async function checkRegistrations(db: Database): Promise<DoctorFinding[]> {
  const { ok: good, ends_soon, ended, refused } = await countRegistrationStates({ db })
  const findings: DoctorFinding[] = []
  if (ended + refused > 0)
    findings.push(
      wrong(
        check,
        `${ended} have expired, and ${refused} were revoked or belong to another certificate.`,
        cure,
      ),
    )
  if (ends_soon > 0) findings.push(warning(check, `${ends_soon} expire within 30 days.`, cure))
  return findings.length > 0 ? findings : [ok(check, `none has expired or was refused (valid: ${good})`)]
}
