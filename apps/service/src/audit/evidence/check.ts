import { startChain } from './check-chain.ts'
import { checkContinuation, checkProof, checkSeal, type Trust } from './check-proofs.ts'
import { readLine } from './lines.ts'

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

/**
 * Checks an export, a proof or a continuation line by line, with nothing but the public key: no database, no network. An
 * export is entries and then a seal; each of the others is a single line.
 */
export function startCheck(trust: Trust) {
  const chain = startChain()
  const faults: string[] = []
  let [number, entries, faultCount] = [0, 0, 0]
  /** Set by the last line: the time that it was signed at. */
  let ended: string | undefined
  const tell = (found: readonly string[]) => {
    faultCount += found.length
    faults.push(...found.slice(0, mostFaults - faults.length).map((fault) => `line ${number}: ${fault}`))
  }

  return {
    line(text: string): void {
      number += 1
      const line = readLine(text)
      if (ended !== undefined) tell(['nothing may follow the last line'])
      if (line === undefined) {
        tell(['unreadable, or not in the canonical form'])
      } else if ('entry' in line) {
        entries += 1
        tell(chain.follow(line))
      } else if ('seal' in line) {
        ended = line.seal.tick.at
        tell([...checkSeal(line.seal, chain.head(), trust), ...chain.unaccounted(ended)])
      } else {
        if (number > 1) tell(['a proof stands alone in its file'])
        ended = 'proof' in line ? line.proof.tick.at : ''
        tell('proof' in line ? checkProof(line.proof, trust) : checkContinuation(line.continuation, trust))
      }
    },
    end(): Report {
      if (ended === undefined) tell(['the file ends without its seal'])
      return {
        valid: faultCount === 0,
        entries,
        head: chain.head()?.link.toString('hex'),
        removed: chain.removed(),
        signed_at: ended === '' ? undefined : ended,
        faults,
        fault_count: faultCount,
      }
    },
  }
}
