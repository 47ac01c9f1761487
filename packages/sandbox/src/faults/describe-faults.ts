import type { Format } from '../documents/credential.ts'
import type { Channel } from '../wallet/authorization-request.ts'
import { channels, expectOn } from './channels.ts'
import { failureCodes, type Expectation, type Fault } from './fault.ts'

/** A fault as it is listed: what is wrong, and the expected result on each channel and in each format. */
export type FaultDescription = {
  name: string
  description: string
  results: FaultResult[]
}

type FaultResult = {
  /** The channels with this result. */
  channels: Channel[]
  format: Format
  /** Absent if no credential check is involved. */
  check?: string
  /** The error code of the failed verification, or what happens to the post if the session stays pending. */
  result: string
}

export function describeFaults(faults: readonly Fault[]): FaultDescription[] {
  return faults.map((fault) => ({
    name: fault.name,
    description: fault.description,
    results: describeResults(fault),
  }))
}

/** The text of docs/reference/faults.md. */
export function faultsMarkdown(faults: readonly Fault[]): string {
  const rows = describeFaults(faults).flatMap(({ name, description, results }) =>
    results.map(
      ({ channels: where, format, check, result }) =>
        `| \`${name}\` | ${description} | ${where.join(', ')} | ${format} | ${check === undefined ? '' : `\`${check}\``} | ${result} |`,
    ),
  )
  return `${[introduction, header, ...rows].join('\n')}\n`
}

/** Channels with the same result in a format share a row. */
function describeResults(fault: Fault): FaultResult[] {
  const rows = new Map<string, FaultResult>()
  for (const channel of channels) {
    for (const [format, expectation] of Object.entries(expectOn(fault, channel))) {
      const result = describeResult(expectation)
      const check = 'check' in expectation ? expectation.check : undefined
      const key = [format, check, result].join()
      // The keys of the expectations are formats.
      const row = rows.get(key) ?? { channels: [], format: format as Format, ...(check && { check }), result }
      row.channels.push(channel)
      rows.set(key, row)
    }
  }
  return [...rows.values()]
}

function describeResult(expectation: Expectation): string {
  if (expectation.outcome === 'rejected') return '400, stays pending'
  if (expectation.outcome === 'noted') return '200, stays pending'
  return 'check' in expectation ? failureCodes[expectation.check] : expectation.code
}

const introduction = `# Faults

The mistakes and attacks that the sandbox wallet can simulate, and how the service responds. \`vidimus wallet respond WALLET_URI --fault NAME\`
sends a response with one fault; everything else in the response is correct. Over the Digital Credentials API, add \`--channel\` (\`dc_api\` for
OpenID4VP, \`annex_c\` for ISO/IEC TS 18013-7 annex C) and \`--origin\`; \`age_app\` is the link of the EU age verification profile. The check named in the table catches the fault, and
the merchant receives no attribute of the holder. If a fault has no effect on a request (for example because the request asks for no
particular values, or for no document in that format), the command says so and sends nothing.

\`npm run -s vidimus -- wallet faults --markdown > docs/reference/faults.md\` writes this page. A test compares it with the code.
`

const header = `| fault | what is wrong | channels | format | check | result |
|---|---|---|---|---|---|`
