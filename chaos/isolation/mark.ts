import { registerHooks } from 'node:module'
import { rewriteStatements } from '../../apps/service/test/database/rewrite-statements.ts'
import { replaceIn, type Predicate } from './list-predicates.ts'

export type Marked = {
  /** From now on statements are sent without these. */
  takeOut(predicates: readonly Predicate[]): void
  /** Says which predicates are met while something is done. */
  meet(act: () => Promise<void>): Promise<Set<Predicate>>
}

const mark = /\/\*<(\d+)\*\/(.*?)\/\*>\*\//gs

/**
 * Lets predicates be taken out of statements while the service runs. The stores are loaded with a mark around each
 * predicate; where a statement reaches the driver, the marks tell what it asks, and what is to be missing is left out. The
 * sources on disk stay as they are. It has to be called before a store is loaded.
 */
export function markPredicates(all: readonly Predicate[]): Marked {
  let missing: readonly Predicate[] = []
  let met = new Set<Predicate>()
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const here = all.filter((each) => each.called_as.length === 0 && url.endsWith(each.in))
      if (here.length === 0) return loaded
      const source = Buffer.from(loaded.source as Uint8Array).toString() // a file on disk is read as bytes
      return {
        ...loaded,
        source: replaceIn(source, here, (each) => `/*<${all.indexOf(each)}*/${each.text}/*>*/`),
      }
    },
  })

  const functions = all.filter(({ called_as }) => called_as.length > 0)
  const spoil = (text: string): string => {
    for (const each of functions) if (each.called_as.some((name) => text.includes(name))) met.add(each)
    return text.replaceAll(mark, (_, number: string, kept: string) => {
      const predicate = all[Number(number)]
      if (predicate === undefined) throw new Error(`there is no predicate ${number}`)
      met.add(predicate)
      return missing.includes(predicate) ? predicate.without(kept) : kept
    })
  }
  rewriteStatements(spoil)
  return {
    takeOut: (predicates) => void (missing = predicates),
    async meet(act) {
      met = new Set()
      await act()
      return met
    },
  }
}
