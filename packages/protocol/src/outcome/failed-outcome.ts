import { checks, type Check, type CheckName } from '../checks.ts'
import { failures as failureTexts, type FailureCode } from '../failures.ts'
import type { Outcome } from '../presentation.ts'
import { sanitiseText, toCredentialResult } from './credential-result.ts'
import type { ExaminedCredential } from './examine-credential.ts'

/** A failed check of one credential, or of the response as a whole. */
export type FailedCheck = { check: CheckName; detail?: string; query_id?: string; unreadable?: true }

const maxMessageCharacters = 600
const codesBySeverity = Object.keys(failureTexts)

/** The most severe failure becomes the error, and no credential keeps a claim (RESULT-4). */
export function buildFailedOutcome(failures: FailedCheck[], examined: ExaminedCredential[] = []): Outcome {
  const [mostSevere] = failures.toSorted((a, b) => severityRank(a) - severityRank(b))
  return {
    status: 'failed',
    claims: {},
    credentials: examined.map((entry) => toCredentialResult({ ...entry, paths: [] })),
    ...(mostSevere !== undefined && {
      error: { code: failureCode(mostSevere), message: describeFailure(mostSevere) },
      ...(failures.every(({ unreadable }) => unreadable === true) && { unreadable: true }),
    }),
  }
}

export function listFailedChecks(examined: ExaminedCredential[]): FailedCheck[] {
  return examined.flatMap(({ query_id, credential }) =>
    credential.findings
      .filter(({ status }) => status === 'fail')
      .map((finding) => ({ ...finding, query_id, ...(credential.unreadable && { unreadable: true }) })),
  )
}

function severityRank(failure: FailedCheck): number {
  return codesBySeverity.indexOf(failureCode(failure))
}

/** A failure of a check that should only warn counts as a malformed credential. */
function failureCode({ check }: FailedCheck): FailureCode {
  const { code }: Check = checks[check]
  return code ?? 'credential_malformed'
}

function describeFailure({ query_id, check, detail }: FailedCheck): string {
  const subject = query_id === undefined ? 'The response' : `Credential "${query_id}"`
  const reason = detail === undefined ? '' : `: ${detail}`
  return sanitiseText(`${subject} failed the check ${check}${reason}.`, maxMessageCharacters)
}
