import { toHex } from '../bytes.ts'
import { startChainCheck } from './check-chain.ts'
import { checkContinuation, checkProof, checkSeal, type CheckInputs } from './check-proofs.ts'
import { sha256 } from '../sha256.ts'
import { sliceEntryText, readExportLine, type ExportLine } from './export-lines.ts'

/** The most faults that are listed; all are counted. */
const maxFaults = 20

export type CheckReport = {
  valid: boolean
  entries: number
  /** The link of the last entry. */
  head: string | undefined
  /** Entries whose texts were erased or have expired. */
  removed: number
  /** The time of the newest signed leaf in the file. */
  signed_at: string | undefined
  faults: string[]
  fault_count: number
}

/** The last line of a file, with its number. */
type LastLine = { at: number; line: Exclude<ExportLine, { entry: unknown }> }

/**
 * Checks an export, a proof or a continuation line by line with only the public key: no database, no network. An export
 * consists of entries and a seal; the others are a single line. Signatures are checked at the end.
 */
export function startCheck(inputs: CheckInputs) {
  const chain = startChainCheck()
  const faults: string[] = []
  let [number, entries, faultCount] = [0, 0, 0]
  let last: LastLine | undefined
  const reportFaults = (found: readonly string[], at = number) => {
    faultCount += found.length
    faults.push(...found.slice(0, maxFaults - faults.length).map((fault) => `line ${at}: ${fault}`))
  }
  const checkLast = ({ line }: LastLine) => {
    if ('proof' in line) return checkProof(line.proof, inputs)
    if ('continuation' in line) return checkContinuation(line.continuation, inputs)
    const { seal } = line
    return checkSeal(seal, chain.head(), inputs).then((found) => [
      ...found,
      ...chain.textFaults(seal.leaf.at),
    ])
  }

  return {
    line(text: string): void {
      number += 1
      const line = readExportLine(text)
      if (last !== undefined) {
        reportFaults(['unexpected line after the end'])
      } else if (line === undefined) {
        reportFaults(['malformed, not in canonical form, or of a later version of the format'])
      } else if ('entry' in line) {
        entries += 1
        reportFaults(chain.add(line, sha256(sliceEntryText(text))))
      } else {
        if (number > 1 && !('seal' in line)) reportFaults(['a proof must be the only line of its file'])
        last = { at: number, line }
      }
    },
    async end(): Promise<CheckReport> {
      if (last === undefined) reportFaults(['the file ends without a seal'])
      else reportFaults(await checkLast(last), last.at)
      const head = chain.head()
      return {
        valid: faultCount === 0,
        entries,
        head: head && toHex(head.link),
        removed: chain.removed(),
        signed_at: last && signedAt(last),
        faults,
        fault_count: faultCount,
      }
    },
  }
}

function signedAt({ line }: LastLine): string | undefined {
  if ('seal' in line) return line.seal.leaf.at
  return 'proof' in line ? line.proof.leaf.at : undefined
}
