import type { ChaosReport } from '../chaos-run.ts'
import { clusterFaults } from '../cluster/faults/list-faults.ts'

/** A result with where it was measured. */
export type SavedResult = ChaosReport & { at: string; commit: string; machine: string; load_average: number }
export type SavedResults = Record<string, SavedResult>

const tables: Record<string, (results: readonly SavedResult[]) => string> = {
  availability: availabilityTable,
  others: othersTable,
  injected: injectedTable,
  machines: machinesTable,
}

/** Replaces what is between `<!-- chaos: NAME -->` and `<!-- end -->`. */
export function replaceTables(text: string, results: SavedResults): string {
  return text.replace(
    /(<!-- chaos: ([a-z]+) -->\n).*?(<!-- end -->)/gs,
    (whole, start: string, name: string, end: string) => {
      const write = tables[name]
      return write === undefined ? whole : `${start}\n${write(Object.values(results))}\n\n${end}`
    },
  )
}

const isInjected = ({ name }: SavedResult) => name.includes('injected')
const faultOf = ({ name }: SavedResult) => clusterFaults[name.replace('cluster.', '')]

function availabilityTable(results: readonly SavedResult[]): string {
  const rows = results.flatMap((result) => {
    const fault = faultOf(result)
    if (fault === undefined || result.unavailable_s === undefined) return []
    const { median, worst } = result.unavailable_s
    return [
      [
        `\`${result.name}\`: ${fault.title}`,
        count(result.faults),
        `${seconds(median)} / ${seconds(worst)}`,
        `${seconds(fault.floor.seconds)}: ${fault.floor.reason}`,
        `${violations(result)} of ${count(result.acknowledged)}${violations(result) === 0 ? '' : ` (${listFound(result)})`}`,
        bound(violations(result), result.acknowledged),
        seconds(result.slowest_s ?? 0),
      ],
    ]
  })
  const head = [
    'fault',
    'N',
    'without a creation, median / worst',
    'at best',
    'contradictions',
    '3/N',
    'slowest',
  ]
  return table(head, rows)
}

function othersTable(results: readonly SavedResult[]): string {
  const rows = results
    .filter((result) => faultOf(result) === undefined && !isInjected(result))
    .map((result) => [
      `\`${result.name}\``,
      count(result.faults),
      `${violations(result)} of ${count(result.acknowledged)}`,
      bound(violations(result), result.acknowledged),
    ])
  return table(['run', 'faults', 'violations', '3/N'], rows)
}

function injectedTable(results: readonly SavedResult[]): string {
  const rows = results
    .filter(isInjected)
    .map((result) => [
      `\`${result.name}\``,
      count(result.faults),
      `${violations(result)} of ${count(result.acknowledged)}`,
      listFound(result),
    ])
  return table(['run with a planted fault', 'faults', 'found', 'which'], rows)
}

/** Runs of one commit on one machine have one row. */
function machinesTable(results: readonly SavedResult[]): string {
  const groups = Map.groupBy(results, ({ commit, machine }) => `\`${commit}\` | ${machine}`)
  const rows = Array.from(groups, ([where, runs]) => {
    const ends = runs.map(({ at }) => at.replace('T', ' ')).toSorted()
    const loads = runs.map(({ load_average }) => load_average).toSorted((one, other) => one - other)
    return [count(runs.length), where, `${span(ends)} UTC`, span(loads)]
  })
  return table(['runs', 'commit', 'machine', 'ended', 'load average at the end'], rows)
}

/** The first and the last of sorted values. */
function span(values: readonly (string | number)[]): string {
  const [first, last] = [values[0], values.at(-1)]
  return first === last ? `${first}` : `${first} to ${last}`
}

function listFound({ contradictions, lost, duplicated }: SavedResult): string {
  return Object.entries(contradictions ?? { lost, duplicated })
    .filter(([, found]) => found > 0)
    .map(([what, found]) => `${what.replaceAll('_', ' ')} ${count(found)}`)
    .join(', ')
}

function violations({ lost, duplicated, duplicates_allowed = 0 }: SavedResult): number {
  return lost + Math.max(0, duplicated - duplicates_allowed)
}

/** If none of N was seen, the rate is below 3/N with 95 % confidence. */
function bound(found: number, n: number): string {
  return found > 0 || n === 0 ? '' : `< ${((3 / n) * 100).toPrecision(2)} %`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const count = (value: number) => value.toLocaleString('en-GB')
const seconds = (value: number) => `${value.toFixed(1)} s`
