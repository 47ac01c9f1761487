import { checks, type Check, type CheckName } from '../checks.ts'
import { failures as explained, type FailureCode } from '../failures.ts'
import type { Outcome } from '../presentation.ts'
import type { Examined } from './examine.ts'
import { cleanText, publishCredential } from './publish.ts'

/** A check that failed: of one credential of the query, or of the answer as a whole. */
export type Failure = { check: CheckName; detail?: string; query_id?: string }

const MAX_MESSAGE = 600
const byGravity = Object.keys(explained)

/** A failed outcome: the gravest failure is the error, and no credential keeps a claim (RESULT-4). */
export function fail(failures: Failure[], examined: Examined[] = []): Outcome {
  const [gravest] = failures.toSorted((a, b) => gravity(a) - gravity(b))
  return {
    status: 'failed',
    claims: {},
    credentials: examined.map((one) => publishCredential({ ...one, paths: [] })),
    ...(gravest !== undefined && { error: { code: codeOf(gravest), message: describe(gravest) } }),
  }
}

export function failuresOf(examined: Examined[]): Failure[] {
  return examined.flatMap(({ query_id, credential }) =>
    credential.findings
      .filter(({ status }) => status === 'fail')
      .map((finding) => ({ ...finding, query_id })),
  )
}

function gravity(failure: Failure): number {
  return byGravity.indexOf(codeOf(failure))
}

/** A check that can only warn and failed all the same is a fault in the credential. */
function codeOf({ check }: Failure): FailureCode {
  const { code }: Check = checks[check]
  return code ?? 'credential_malformed'
}

function describe({ query_id, check, detail }: Failure): string {
  const subject = query_id === undefined ? 'The answer' : `Credential "${query_id}"`
  const reason = detail === undefined ? '' : `: ${detail}`
  return cleanText(`${subject} failed the check ${check}${reason}.`, MAX_MESSAGE)
}
