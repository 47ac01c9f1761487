import { type Config, ConfigError } from '../../engine/config/index.ts'
import type { Database } from '../../engine/db/index.ts'
import { countAnchors, countRegistrationStates, listTrustLists, readListSettings } from '../../trust/index.ts'
import { type DoctorFinding, ok, warning, wrong } from './finding.ts'

export async function checkTrust(db: Database, { TRUST_LISTS_FILE: file }: Config): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  if (file !== undefined) findings.push(...checkFile(file))
  for (const { url, environment, stale, expired } of await listTrustLists({ db })) {
    if (expired || stale)
      findings.push(
        wrong(
          'trust lists',
          `${url} (${environment}) ${expired ? 'has expired: its issuers are refused' : 'has not been refreshed for hours'}.`,
          'Run `vidimus admin trust refresh` for the reason. Check that `vidimus work` runs and can reach that URL.',
        ),
      )
  }
  const { live } = await countAnchors({ db })
  if (live === 0)
    findings.push(
      warning(
        'trust',
        'The live environment has no trusted issuers: every live verification will fail with issuer_untrusted.',
        'Set TRUST_LISTS_FILE, or add authorities: `vidimus admin trust add --env live --file roots.pem`.',
      ),
    )
  else findings.push(ok('trust', `the live environment has ${live} trust anchors`))
  return findings
}

function checkFile(file: string): DoctorFinding[] {
  try {
    return [ok('trust lists', `${readListSettings(file).length} are configured`)]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.mistakes.map((mistake) =>
      wrong('trust lists', mistake, 'Correct TRUST_LISTS_FILE. docs/operate/trust.md shows its format.'),
    )
  }
}

const check = 'registrations'
const cure = 'The tenants have alerts for them. Their dashboard shows which and why, under Registrations.'

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
