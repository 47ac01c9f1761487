import { readFileSync, writeFileSync } from 'node:fs'
import { mergeRuns, parseFigures } from './merge.ts'
import { plotLedger } from './plot.ts'
import {
  footprintTable,
  ledgerTable,
  listOperations,
  peersTable,
  processesTable,
  ratioTable,
  tailTable,
  type Figures,
} from './tables.ts'

const document = new URL('../../docs/operate/scale.md', import.meta.url)
const plot = new URL('../../docs/images/cost.svg', import.meta.url)
const tables: Record<string, (figures: Figures) => string> = {
  ratios: ratioTable,
  tails: tailTable,
  footprint: footprintTable,
  processes: processesTable,
  ledger: ledgerTable,
  peers: peersTable,
}

/**
 * `npm run bench -- report FILE…`: writes the tables of docs/operate/scale.md and its plot from files with the output of one or
 * more runs. A table for which the files have no figure stays as it is.
 */
export function writeReport(files: readonly string[]): void {
  const figures = mergeRuns(files.flatMap((file) => parseFigures(readFileSync(file, 'utf8'))))
  writeFileSync(document, replaceTables(readFileSync(document, 'utf8'), figures))
  if (listOperations(figures).length > 0) writeFileSync(plot, plotLedger(figures))
}

/** Replaces what is between `<!-- bench: NAME -->` and `<!-- end -->`. */
export function replaceTables(text: string, figures: Figures): string {
  return text.replace(
    /(<!-- bench: ([a-z]+) -->\n).*?(<!-- end -->)/gs,
    (whole, start: string, name: string, end: string) => {
      const content = tables[name]?.(figures) ?? ''
      return content === '' ? whole : `${start}\n${content}\n\n${end}`
    },
  )
}
