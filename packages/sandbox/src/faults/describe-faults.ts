import type { Format } from '../documents/credential.ts'
import { failureCodes, type Expectation, type Fault } from './fault.ts'

/** A fault as it is listed: what is wrong, and the expected result in each format. */
export type FaultDescription = {
  name: string
  description: string
  results: {
    format: Format
    /** Absent if no credential check is involved. */
    check?: string
    /** The error code of the failed verification, or `400, stays pending`. */
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

/** The text of docs/reference/faults.md. */
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
  if (expectation.outcome === 'rejected') return '400, stays pending'
  return 'check' in expectation ? failureCodes[expectation.check] : expectation.code
}

const introduction = `# Faults

The mistakes and attacks that the sandbox wallet can simulate, and how the service responds. \`vidimus wallet respond WALLET_URI --fault NAME\`
sends a response with one fault; everything else in the response is correct. The check named in the table catches the fault, and
the merchant receives no attribute of the holder. If a fault has no effect on a request (for example because the request asks for no
particular values, or for no document in that format), the command says so and sends nothing.

\`npm run -s vidimus -- wallet faults --markdown > docs/reference/faults.md\` writes this page. A test compares it with the code.
`

const header = `| fault | what is wrong | format | check | result |
|---|---|---|---|---|`
