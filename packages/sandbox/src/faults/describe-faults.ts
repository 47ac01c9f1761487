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
  /** The error code of the failed verification, or what happens to the post if the verification stays pending. */
  result: string
}

export function describeFaults(faults: readonly Fault[]): FaultDescription[] {
  return faults.map((fault) => ({
    name: fault.name,
    description: fault.description,
    results: describeResults(fault),
  }))
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
  if ('code' in expectation) return expectation.code
  const code = failureCodes[expectation.check]
  return expectation.outcome === 'malformed' ? `400, stays pending; after some, ${code}` : code
}
