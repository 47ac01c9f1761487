import { ConfigError, type Config } from '../../config.ts'
import type { Database } from '../../platform/db/open.ts'
import { countAnchors } from '../../trust/anchors/count.ts'
import { listTrustLists } from '../../trust/lists/list.ts'
import { readListSettings } from '../../trust/lists/read-settings.ts'
import { ok, warning, wrong, type DoctorFinding } from './finding.ts'

export async function checkTrust(db: Database, { TRUST_LISTS_FILE: file }: Config): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  if (file !== undefined) findings.push(...checkFile(file))
  for (const { url, environment, stale, lapsed } of await listTrustLists({ db })) {
    if (lapsed || stale)
      findings.push(
        wrong(
          'trust lists',
          `${url} (${environment}) ${lapsed ? 'has run out: its issuers are refused' : 'has not been refreshed for hours'}.`,
          'Run `vidimus trust refresh` and read what it says; see that `vidimus work` runs and may reach that address.',
        ),
      )
  }
  const { live } = await countAnchors({ db })
  if (live === 0)
    findings.push(
      warning(
        'trust',
        'Nobody is trusted in the live environment: every live verification will fail with issuer_untrusted.',
        'Set TRUST_LISTS_FILE, or add authorities: `vidimus trust add --env live --file roots.pem`.',
      ),
    )
  else findings.push(ok('trust', `${live} authorities are trusted in the live environment`))
  return findings
}

function checkFile(file: string): DoctorFinding[] {
  try {
    return [ok('trust lists', `${readListSettings(file).length} are configured`)]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.mistakes.map((mistake) =>
      wrong('trust lists', mistake, 'Mend TRUST_LISTS_FILE; docs/operate/operations.md shows its form.'),
    )
  }
}
