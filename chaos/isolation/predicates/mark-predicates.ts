import { registerHooks } from 'node:module'
import { rewriteStatements } from '../../../apps/service/test/database/rewrite-statements.ts'
import { replacePredicates, type Predicate } from './list-predicates.ts'

export type MarkedPredicates = {
  /** Sends statements without these predicates from now on. */
  remove(predicates: readonly Predicate[]): void
  /** Returns the predicates in the statements that `act` sends. */
  findReached(act: () => Promise<void>): Promise<Set<Predicate>>
}

const mark = /\/\*<(\d+)\*\/(.*?)\/\*>\*\//gs

/**
 * Makes predicates removable while the service runs. Stores are loaded with an SQL comment around each predicate; before a
 * statement reaches the driver, the comments identify its predicates, and the ones to remove are replaced. The sources on
 * disk are not changed. Must be called before any store is loaded.
 */
export function markPredicates(all: readonly Predicate[]): MarkedPredicates {
  let removedPredicates: readonly Predicate[] = []
  let reached = new Set<Predicate>()
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const here = all.filter((each) => each.called_as.length === 0 && url.endsWith(each.in))
      if (here.length === 0) return loaded
      const source = Buffer.from(loaded.source as Uint8Array).toString() // a file on disk is read as bytes
      return {
        ...loaded,
        source: replacePredicates(source, here, (each) => `/*<${all.indexOf(each)}*/${each.text}/*>*/`),
      }
    },
  })

  const functions = all.filter(({ called_as }) => called_as.length > 0)
  const rewrite = (text: string): string => {
    for (const each of functions) if (each.called_as.some((name) => text.includes(name))) reached.add(each)
    return text.replaceAll(mark, (_, number: string, kept: string) => {
      const predicate = all[Number(number)]
      if (predicate === undefined) throw new Error(`no predicate has the index ${number}`)
      reached.add(predicate)
      return removedPredicates.includes(predicate) ? predicate.removed(kept) : kept
    })
  }
  rewriteStatements(rewrite)
  return {
    remove: (predicates) => void (removedPredicates = predicates),
    async findReached(act) {
      reached = new Set()
      await act()
      return reached
    },
  }
}
