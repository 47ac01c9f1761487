import { type Config, ConfigError } from '../../../engine/config/index.ts'
import type { Database } from '../../../engine/db/index.ts'
import { countAnchors, listTrustLists, readListSettings } from '../../../trust/index.ts'
import { ok, warning, wrong, type DoctorFinding } from './finding.ts'

export async function checkTrust(db: Database, { TRUST_LISTS_FILE: file }: Config): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  if (file !== undefined) findings.push(...checkFile(file))
  for (const { url, environment, stale, lapsed } of await listTrustLists({ db })) {
    if (lapsed || stale)
      findings.push(
        wrong(
          'trust lists',
          `${url} (${environment}) ${lapsed ? 'has expired: its issuers are refused' : 'has not been refreshed for hours'}.`,
          'Run `vidimus trust refresh` for the reason. Check that `vidimus work` runs and can reach that URL.',
        ),
      )
  }
  const { live } = await countAnchors({ db })
  if (live === 0)
    findings.push(
      warning(
        'trust',
        'The live environment has no trusted issuers: every live verification will fail with issuer_untrusted.',
        'Set TRUST_LISTS_FILE, or add authorities: `vidimus trust add --env live --file roots.pem`.',
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
      wrong('trust lists', mistake, 'Correct TRUST_LISTS_FILE. docs/operate/operations.md shows its format.'),
    )
  }
}
