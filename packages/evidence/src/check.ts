import { toHex } from './bytes.ts'
import { startChain } from './check-chain.ts'
import { checkContinuation, checkProof, checkSeal, type Trust } from './check-proofs.ts'
import { sha256 } from './sha256.ts'
import { entryTextIn, readLine, type Line } from './lines.ts'

/** The most faults that are told in words; all are counted. */
const mostFaults = 20

export type Report = {
  valid: boolean
  entries: number
  /** The chain's link at its last entry. */
  head: string | undefined
  /** Entries whose texts are gone, by an erasure or by age. */
  removed: number
  /** When the newest checkpoint in the file was signed. */
  signed_at: string | undefined
  faults: string[]
  fault_count: number
}

/** What ends a file, with its place there. */
type Last = { at: number; line: Exclude<Line, { entry: unknown }> }

/**
 * Checks an export, a proof or a continuation line by line, with nothing but the public key: no database, no network. An
 * export is entries and then a seal; each of the others is a single line. Signatures are checked at the end.
 */
export function startCheck(trust: Trust) {
  const chain = startChain()
  const faults: string[] = []
  let [number, entries, faultCount] = [0, 0, 0]
  let last: Last | undefined
  const tell = (found: readonly string[], at = number) => {
    faultCount += found.length
    faults.push(...found.slice(0, mostFaults - faults.length).map((fault) => `line ${at}: ${fault}`))
  }
  const checkLast = ({ line }: Last) => {
    if ('proof' in line) return checkProof(line.proof, trust)
    if ('continuation' in line) return checkContinuation(line.continuation, trust)
    const { seal } = line
    return checkSeal(seal, chain.head(), trust).then((found) => [
      ...found,
      ...chain.unaccounted(seal.tick.at),
    ])
  }

  return {
    line(text: string): void {
      number += 1
      const line = readLine(text)
      if (last !== undefined) {
        tell(['nothing may follow the last line'])
      } else if (line === undefined) {
        tell(['unreadable, or not in the canonical form'])
      } else if ('entry' in line) {
        entries += 1
        tell(chain.follow(line, sha256(entryTextIn(text))))
      } else {
        if (number > 1 && !('seal' in line)) tell(['a proof stands alone in its file'])
        last = { at: number, line }
      }
    },
    async end(): Promise<Report> {
      if (last === undefined) tell(['the file ends without its seal'])
      else tell(await checkLast(last), last.at)
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

function signedAt({ line }: Last): string | undefined {
  if ('seal' in line) return line.seal.tick.at
  return 'proof' in line ? line.proof.tick.at : undefined
}
