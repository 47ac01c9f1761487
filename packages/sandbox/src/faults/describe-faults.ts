import type { Format } from '../documents/credential.ts'
import { failureCodes, type Expectation, type Fault } from './fault.ts'

/** A fault as it is listed: what is wrong, and what a verifier must make of it in each format. */
export type FaultDescription = {
  name: string
  description: string
  results: {
    format: Format
    /** Absent where no check of a credential is concerned. */
    check?: string
    /** The error of the failed verification; or that the post is refused and the session stays pending. */
    result: string
  }[]
}

export function describeFaults(faults: readonly Fault[]): FaultDescription[] {
  return faults.map(({ name, description, expect }) => ({
    name,
    description,
    results: Object.entries(expect).map(([format, expectation]) => ({
      // The keys of `expect` are formats.
      format: format as Format,
      ...('check' in expectation && { check: expectation.check }),
      result: describeResult(expectation),
    })),
  }))
}

/** The page docs/reference/faults.md. */
export function faultsMarkdown(faults: readonly Fault[]): string {
  const rows = describeFaults(faults).flatMap(({ name, description, results }) =>
    results.map(
      ({ format, check, result }) =>
        `| \`${name}\` | ${description} | ${format} | ${check === undefined ? '' : `\`${check}\``} | ${result} |`,
    ),
  )
  return `${[introduction, header, ...rows].join('\n')}\n`
}

function describeResult(expectation: Expectation): string {
  if (expectation.outcome === 'not_an_answer') return '400, stays pending'
  return 'check' in expectation ? failureCodes[expectation.check] : expectation.code
}

const introduction = `# Faults

What the sandbox wallet can do wrong, and what the service makes of it. \`vidimus wallet respond WALLET_URI --fault NAME\`
answers a request with one of them; everything else about the answer is right. Each is refused by the check that is named here,
and no attribute of the holder reaches the merchant. A fault that a request cannot show (it asks for no values, or for no
document in that format) is not made, and the command says so.

\`npm run -s vidimus -- wallet faults --markdown > docs/reference/faults.md\` writes this page; a test compares them.
`

const header = `| fault | what is wrong | format | check | result |
|---|---|---|---|---|`
