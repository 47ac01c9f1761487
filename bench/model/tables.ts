import { sizedTables } from '../mixed/sizes.ts'
import { workload } from '../mixed/workload.ts'
import { assumptions } from './assumptions.ts'
import {
  computeCapacity,
  computeCost,
  sumOperations,
  type Capacity,
  type Inputs,
  type Part,
} from './model.ts'
import { prices } from './prices.ts'

/** Peaks to plan for: a million verifications a day, 17 and 90 million, and each person in the EU once a day. */
const peaks = [58, 1000, 5208, 26_042]
const month_seconds = 730 * 3600

/** Three who run it, by their creations per second at the peak. */
const audiences = [
  { who: 'a merchant', rate: 10 / 60 },
  { who: 'a country', rate: 5 },
  { who: 'a continent', rate: 26_042 },
]
/** The smallest machine that the page counts with. */
const smallestMachine_vcpus = 2

/** What the tables take for a verification, and for a million a day once retention has run through. */
export function storageTable({ stored }: Inputs): string {
  const rows = sizedTables
    .filter((table) => stored[table].heap > 0)
    .map((table) => {
      const { heap, indexes } = stored[table]
      const days = assumptions.kept_days[table]
      return `| \`${table}\` | ${count(heap + indexes)} | ${days} | ${gigabytes((heap + indexes) * 1e6 * days)} |`
    })
  const total = (of: (table: (typeof sizedTables)[number]) => number) =>
    sizedTables.reduce((sum, table) => sum + (stored[table].heap + stored[table].indexes) * of(table), 0)
  return [
    '| table | bytes per verification, with indexes | days kept | a million a day |',
    '|---|---|---|---|',
    ...rows,
    `| together | ${count(total(() => 1))} | | ${gigabytes(total((table) => 1e6 * assumptions.kept_days[table]))} |`,
  ].join('\n')
}

/** The sum of the operations of a verification beside what a verification took in the mixed benchmark. */
export function checkTable(inputs: Inputs): string {
  const sums = sumOperations(inputs)
  const texts: Record<Part, string> = {
    serve: '`serve`',
    work: '`work`',
    postgres: 'PostgreSQL',
    redis: 'Redis',
  }
  const wal = Object.entries(workload).reduce(
    (sum, [name, times]) => sum + times * (inputs.operations[name as keyof typeof workload].wal_bytes ?? 0), // a key
    0,
  )
  const row = (text: string, [sum, whole]: [number, number], unit: string) =>
    whole === 0
      ? `| ${text} | ${count(sum)} ${unit} | not measured yet | |`
      : `| ${text} | ${count(sum)} ${unit} | ${count(whole)} ${unit} | ${(whole / sum).toFixed(2)} |`
  return [
    '| one verification | sum of its operations | measured as a whole | ratio |',
    '|---|---|---|---|',
    ...(Object.keys(texts) as Part[]).map((part) => row(texts[part], [sums[part], inputs.mixed[part]], 'µs')), // the keys of a constant
    row('WAL', [wal, inputs.mixed_wal_bytes], 'bytes'),
  ].join('\n')
}

export function capacityTable(inputs: Inputs): string {
  const capacities = peaks.map((rate) => computeCapacity(inputs, assumptions, rate))
  const row = (text: string, show: (capacity: Capacity) => string) =>
    `| ${text} | ${capacities.map(show).join(' | ')} |`
  return [
    `| creations per second at the peak | ${peaks.map(count).join(' | ')} |`,
    `|---|${peaks.map(() => '---|').join('')}`,
    row('verifications per day', ({ rate }) => millions((rate / assumptions.peak_factor) * 86_400)),
    row('**cells**', ({ cells }) => `**${cells}**`),
    row('cells that disks ask for', ({ cells_by }) => cells_by.disk.toFixed(2)),
    row('vCPUs for `serve`', ({ vcpus }) => count(vcpus.serve)),
    row('vCPUs for `work`', ({ vcpus }) => count(vcpus.work)),
    row('vCPUs for PostgreSQL, with two standbys', ({ vcpus }) => count(vcpus.postgres)),
    row('vCPUs for Redis', ({ vcpus }) => count(vcpus.redis)),
    row('processes, `serve` and `work`', ({ processes }) => `${processes.serve} and ${processes.work}`),
    row('their memory', ({ memory_gb }) => `${memory_gb.toFixed(0)} GB`),
    row('connections to PostgreSQL, in a cell', ({ connections, cells }) =>
      count(Math.ceil(connections / cells)),
    ),
    row('WAL', ({ wal_mb_per_second }) => `${megabytes(wal_mb_per_second)}/s`),
    row('stored, with two standbys', ({ copies_tb }) => terabytes(copies_tb)),
    row('network, from the internet', ({ network_in_mb_per_second: bytes }) => `${megabytes(bytes)}/s`),
    row('network, to the internet', ({ network_out_mb_per_second: bytes }) => `${megabytes(bytes)}/s`),
    ...prices.map((price) =>
      row(
        `a month, ${price.provider}`,
        (capacity) => `€${count(computeCost(capacity, assumptions, price).total)}`,
      ),
    ),
  ].join('\n')
}

/**
 * What three sizes of installation run and pay. Where all parts together fill less than the smallest machine, they are on one: one `serve`,
 * one `work` and PostgreSQL, without Redis and standbys.
 */
export function audienceTable(inputs: Inputs): string {
  const installations = audiences.map(({ rate }) => {
    const capacity = computeCapacity(inputs, assumptions, rate)
    const busy = capacity.busy.serve + capacity.busy.work + capacity.busy.postgres
    const isOne = busy / assumptions.utilisation <= smallestMachine_vcpus
    return {
      capacity,
      busy,
      isOne,
      paid: isOne
        ? {
            ...capacity,
            vcpus: { serve: smallestMachine_vcpus, work: 0, postgres: 0, redis: 0 },
            copies_tb: capacity.stored_tb,
          }
        : capacity,
      monthly: (rate / assumptions.peak_factor) * month_seconds,
    }
  })
  const row = (text: string, show: (installation: (typeof installations)[number]) => string) =>
    `| ${text} | ${installations.map(show).join(' | ')} |`
  return [
    `| | ${audiences.map(({ who }) => who).join(' | ')} |`,
    `|---|${audiences.map(() => '---|').join('')}`,
    `| verifications at the peak | ${audiences.map(({ rate }) => (rate < 1 ? `${count(rate * 60)} a minute` : `${count(rate)}/s`)).join(' | ')} |`,
    row('in a month', ({ monthly }) =>
      monthly < 1e6
        ? count(monthly)
        : `${(monthly / 1e6).toLocaleString('en-GB', { maximumFractionDigits: 1 })} million`,
    ),
    row('runs', ({ isOne, paid: { processes, cells } }) =>
      isOne
        ? `one machine of ${smallestMachine_vcpus} vCPUs: one \`serve\`, one \`work\`, PostgreSQL`
        : `${cells} cells, each with two standbys; ${processes.serve} \`serve\`, ${processes.work} \`work\``,
    ),
    row('cores busy at the peak', ({ busy }) => (busy < 1 ? busy.toPrecision(2) : count(busy))),
    row(
      'of it, main threads of `serve`: one core is one process',
      ({ capacity: { busy_main_thread: busy } }) => (busy < 1 ? busy.toPrecision(2) : count(busy)),
    ),
    row('cells by CPU, WAL and disk', ({ capacity: { cells_by } }) =>
      Math.max(...Object.values(cells_by)).toPrecision(2),
    ),
    row('stored, all copies', ({ paid: { copies_tb } }) =>
      copies_tb < 1 ? gigabytes(copies_tb * 1e12) : terabytes(copies_tb),
    ),
    ...prices.map((price) =>
      row(`a million, ${price.provider}`, ({ paid, monthly }) => {
        const { total } = computeCost(paid, assumptions, price)
        return `€${count((total / monthly) * 1e6)} (€${count(total)} a month)`
      }),
    ),
  ].join('\n')
}

export function moneyTable(inputs: Inputs): string {
  const rows = prices.flatMap((price) =>
    peaks.map((rate) => {
      const capacity = computeCapacity(inputs, assumptions, rate)
      const { servers, disks, traffic, total } = computeCost(capacity, assumptions, price)
      const thousands = ((rate / assumptions.peak_factor) * month_seconds) / 1000
      const euros = [servers, disks, traffic, total].map((value) => `€${count(value)}`)
      return `| ${price.provider} | ${count(rate)}/s | ${euros.join(' | ')} | €${(total / thousands).toFixed(4)} |`
    }),
  )
  return [
    '| | peak | servers | disks | traffic | a month | 1,000 verifications |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    ...prices.map(({ provider, source }) => `- ${provider}: ${source}.`),
  ].join('\n')
}

const count = (value: number) => Math.round(value).toLocaleString('en-GB')
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(2)} GB`
const terabytes = (value: number) => `${value < 1 ? value.toFixed(2) : value.toFixed(1)} TB`
const megabytes = (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} MB`
const millions = (value: number) => `${(value / 1e6).toFixed(0)} million`
