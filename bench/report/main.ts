import { readFileSync, writeFileSync } from 'node:fs'
import type { Figure } from '../figure.ts'
import { isInput, readInputs } from '../model/inputs.ts'
import { audienceTable, capacityTable, checkTable, moneyTable, storageTable } from '../model/tables.ts'
import type { Inputs } from '../model/model.ts'
import { growthTable, listGrowth } from './growth-table.ts'
import { mergeRuns, parseFigures } from './merge.ts'
import { plotGrowth } from './plot-growth.ts'
import { plotLedger } from './plot.ts'
import {
  footprintTable,
  ledgerTable,
  listOperations,
  peersTable,
  processesTable,
  ratioTable,
  rateTable,
  type Figures,
} from './tables.ts'

const document = new URL('../../docs/operate/scale.md', import.meta.url)
const measured = new URL('../model/measured.jsonl', import.meta.url)
const images = new URL('../../docs/images/', import.meta.url)
const figureTables: Record<string, (figures: Figures) => string> = {
  ratios: ratioTable,
  rates: rateTable,
  footprint: footprintTable,
  processes: processesTable,
  ledger: ledgerTable,
  peers: peersTable,
  growth: growthTable,
}
const modelTables: Record<string, (inputs: Inputs) => string> = {
  storage: storageTable,
  check: checkTable,
  audiences: audienceTable,
  capacity: capacityTable,
  money: moneyTable,
}

/** `npm run bench -- report FILE…`: writes the scale page from files with the output of one or more runs. */
export function reportFiles(files: readonly string[]): void {
  writeReport(files.flatMap((file) => parseFigures(readFileSync(file, 'utf8'))))
}

/**
 * Writes the tables of docs/operate/scale.md and its plots, and prints the tables that the page has no place for. A table without figures
 * stays as it is. The capacity model is computed from these figures and, for what they lack, from earlier ones, which are kept.
 */
export function writeReport(measuredNow: readonly Figure[]): void {
  const figures = mergeRuns(measuredNow)
  const kept = new Map([...readMeasured(), ...Array.from(figures).filter(([name]) => isInput(name))])
  writeFileSync(measured, Array.from(kept.values(), (figure) => `${JSON.stringify(figure)}\n`).join(''))
  const text = replaceTables(readFileSync(document, 'utf8'), figures)
  writeFileSync(document, replaceModel(text, kept))
  process.stdout.write(renderOthers(text, figures, readInputs(kept)))
  if (listOperations(figures).length > 0) writeFileSync(new URL('cost.svg', images), plotLedger(figures))
  if (listGrowth(figures).length > 0) writeFileSync(new URL('growth.svg', images), plotGrowth(figures))
}

/** The figures that the capacity model was last computed from. */
export function readMeasured(): Figures {
  return mergeRuns(parseFigures(readFileSync(measured, 'utf8')))
}

/** Replaces what is between `<!-- bench: NAME -->` and `<!-- end -->`. */
export function replaceTables(text: string, figures: Figures): string {
  return replaceMarked(text, (name) => figureTables[name]?.(figures) ?? '')
}

/** The same for the tables of the capacity model. */
export function replaceModel(text: string, figures: Figures): string {
  const inputs = readInputs(figures)
  return replaceMarked(text, (name) => modelTables[name]?.(inputs) ?? '')
}

/** The tables that the document has no marks for. */
export function renderOthers(text: string, figures: Figures, inputs: Inputs): string {
  const tables = [
    ...Object.entries(figureTables).map(([name, render]) => ({ name, table: render(figures) })),
    ...Object.entries(modelTables).map(([name, render]) => ({ name, table: render(inputs) })),
  ]
  return tables
    .filter(({ name, table }) => table !== '' && !text.includes(`<!-- bench: ${name} -->`))
    .map(({ name, table }) => `${name}\n\n${table}\n\n`)
    .join('')
}

function replaceMarked(text: string, contentOf: (name: string) => string): string {
  return text.replace(
    /(<!-- bench: ([a-z]+) -->\n).*?(<!-- end -->)/gs,
    (whole, start: string, name: string, end: string) => {
      const content = contentOf(name)
      return content === '' ? whole : `${start}\n${content}\n\n${end}`
    },
  )
}
