import type { Figure, Spread } from '../figure.ts'

/** Figures by name, joined from all runs. */
export type Figures = ReadonlyMap<string, Figure>

type ComparedFigure = { name: string; text: string; bare: string; aim: string }

/** What is compared with what, and the aim of the ratio. */
const compared: readonly ComparedFigure[] = [
  {
    name: 'create.hot_tenant',
    text: 'creations over HTTP, one tenant',
    bare: 'the rows one by one in PostgreSQL',
    aim: '2.2',
  },
  { name: 'create.many_tenants', text: 'the same, 200 tenants', bare: 'the same', aim: '1.0' },
  { name: 'status.poll', text: 'status polls', bare: 'a constant served by Fastify', aim: '0.6' },
  { name: 'http.authenticated', text: 'requests with a key that do nothing', bare: 'the same', aim: '0.5' },
  { name: 'wallet.request', text: 'signed request objects', bare: 'derived keys and signatures', aim: '0.6' },
  {
    name: 'wallet.response',
    text: 'responses verified and recorded',
    bare: 'signature checks and key agreements',
    aim: '0.35',
  },
  { name: 'webhook.deliver', text: 'webhooks delivered', bare: 'POST requests by undici', aim: '0.35' },
  { name: 'protocol.sd_jwt', text: 'SD-JWT VCs verified', bare: 'their signature checks', aim: '' },
  { name: 'protocol.mdoc', text: 'mdocs verified', bare: 'their signature checks', aim: '' },
]

export function ratioTable(figures: Figures): string {
  const rows = compared.flatMap(({ name, text, bare, aim }) => {
    const figure = figures.get(name)
    if (figure?.ratio === undefined) return []
    const { value, spread, bare: bareValue = Number.NaN, ratio, ratio_spread } = figure
    return [
      `| \`${name}\`: ${text} | ${count(value)}/s${range(spread, count)} | ${count(bareValue)}/s, ${bare} | ${ratio.toFixed(2)}${range(ratio_spread, fixed)} | ${aim} |`,
    ]
  })
  return table('| benchmark | this code | bare parts | ratio | aim |\n|---|---|---|---|---|', rows)
}

const rated = [
  'create.hot_tenant',
  'create.many_tenants',
  'status.poll',
  'wallet.request',
  'wallet.response',
  'webhook.deliver',
]

/** The highest rate of each operation, and the 99th percentile at half of it, beside that of the bare engine at the same rate. */
export function rateTable(figures: Figures): string {
  const rows = rated.flatMap((name) => {
    const [most, tail] = [figures.get(name), figures.get(`${name}.p99`)]
    const text = compared.find((figure) => figure.name === name)?.text ?? ''
    if (most === undefined) return []
    const p99 = tail === undefined ? '' : `${fixed(tail.value)} ms${range(tail.spread, fixed)}`
    const bare = tail?.bare === undefined ? '' : `${fixed(tail.bare)} ms${range(tail.bare_spread, fixed)}`
    return [`| ${text} | ${count(most.value)}/s${range(most.spread, count)} | ${p99} | ${bare} |`]
  })
  return table(
    '| operation | highest rate | p99 at half of it | of the bare engine |\n|---|---|---|---|',
    rows,
  )
}

export function footprintTable(figures: Figures): string {
  const cells = (name: string, unit: string, show: (value: number) => string) =>
    ['serve', 'work'].map((role) => {
      const figure = figures.get(`footprint.${role}.${name}`)
      return figure === undefined ? '' : `${show(figure.value)} ${unit}`
    })
  const kinds: [text: string, cells: string[]][] = [
    ['from start to ready', cells('start', 'ms', count)],
    ['memory at rest', cells('memory_at_rest', 'MB', count)],
    ['highest memory under load', cells('memory_under_load', 'MB', count)],
    ['CPU when idle', cells('idle_cpu', '% of a core', fixed)],
    ['CPU of PostgreSQL for it', cells('idle_postgres_cpu', '% of a core', fixed)],
    ['queries when idle', cells('idle_queries', 'per second', fixed)],
  ]
  const rows = kinds
    .filter(([, texts]) => texts.some((text) => text !== ''))
    .map(([text, texts]) => `| ${text} | ${texts.join(' | ')} |`)
  return table('| one process | `serve` | `work` |\n|---|---|---|', rows)
}

export function processesTable(figures: Figures): string {
  const rows = [1, 2, 4].flatMap((processes) => {
    const figure = figures.get(`footprint.create.processes_${processes}`)
    return figure === undefined
      ? []
      : [`| ${processes} | ${count(figure.value)}/s${range(figure.spread, count)} |`]
  })
  return table('| `serve` processes | creations |\n|---|---|', rows)
}

/** `peers.answers.credo`, `peers.creations.hot_tenant.drizzle`; not the CPU of either. */
const peerPattern = /^peers\.([a-z_.]+)\.(?!cpu_)([a-z_]+)$/

/** Rates beside those of the programs that a team would write instead. */
export function peersTable(figures: Figures): string {
  const rows = Array.from(figures.values()).flatMap(
    ({ name, value, spread, bare, bare_spread, ratio, ratio_spread }) => {
      const [, work, peer] = peerPattern.exec(name) ?? []
      if (work === undefined || peer === undefined || bare === undefined || ratio === undefined) return []
      return [
        `| ${words(work)}, beside ${words(peer)} | ${count(value)}/s${range(spread, count)} | ${count(bare)}/s${range(bare_spread, count)} | ${ratio.toFixed(1)}${range(ratio_spread, (times) => times.toFixed(1))} |`,
      ]
    },
  )
  return table('| | this service | the peer | times as fast |\n|---|---|---|---|', rows)
}

/** The words of a name: `creations.hot_tenant` becomes "creations, hot tenant". */
function words(name: string): string {
  return name.replaceAll('.', ', ').replaceAll('_', ' ')
}

const operationPattern = /^cost\.([a-z_]+)\.main$/

/** The operations that were measured, in the order of the ledger. */
export function listOperations(figures: Figures): string[] {
  return Array.from(figures.keys(), (name) => operationPattern.exec(name)?.[1]).filter(
    (name) => name !== undefined,
  )
}

export function ledgerTable(figures: Figures): string {
  const value = (name: string, column: string) => figures.get(`cost.${name}.${column}`)?.value ?? 0
  const bare = (name: string, column: string) => figures.get(`cost.${name}.${column}`)?.bare ?? 0
  const rows = listOperations(figures).map((name) => {
    const cpu = ['main', 'threads', 'runtime', 'postgres', 'redis'].map(
      (column) => `${count(value(name, column))} (${count(bare(name, column))})`,
    )
    const rest = [
      count(value(name, 'wal_bytes')),
      fixed(value(name, 'statements')),
      fixed(value(name, 'alone.statements')),
      fixed(value(name, 'alone.round_trips')),
    ]
    return `| ${name} | ${[...cpu, ...rest].join(' | ')} |`
  })
  return table(
    '| operation | main thread | worker threads | V8, libuv | PostgreSQL | Redis | WAL, bytes | statements | alone | round trips alone |\n|---|---|---|---|---|---|---|---|---|---|',
    rows,
  )
}

const table = (head: string, rows: readonly string[]) => (rows.length === 0 ? '' : [head, ...rows].join('\n'))
const count = (value: number) => Math.round(value).toLocaleString('en-GB')
const fixed = (value: number) => value.toFixed(2)

function range(spread: Spread | undefined, show: (value: number) => string): string {
  return spread === undefined ? '' : ` (${show(spread[0])}–${show(spread[1])})`
}
