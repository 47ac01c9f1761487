import { sizedTables } from '../mixed/sizes.ts'
import { workload } from '../mixed/workload.ts'
import type { Figures } from '../report/tables.ts'
import type { Inputs, OperationCost, Part, StoredBytes } from './model.ts'

const costColumns = ['main', 'threads', 'runtime', 'postgres', 'redis', 'wal_bytes'] as const

/** Which figures the model needs; they are kept in `measured.json`. */
export const isInput = (name: string) => /^(cost|mixed)\.|^footprint\.(serve|work)\.memory/.test(name)

/** Takes the inputs of the model from measured figures. Throws if one is missing, but the CPU time of the workload as a whole. */
export function readInputs(figures: Figures): Inputs {
  const value = (name: string) => {
    const figure = figures.get(name)
    if (figure === undefined) throw new Error(`${name} was not measured`)
    return figure.value
  }
  const mixedCpu = (name: string) => figures.get(`mixed.cpu.${name}`)?.value ?? 0
  const node = (role: string) =>
    ['main', 'threads', 'runtime'].reduce((sum, part) => sum + mixedCpu(`${role}.${part}`), 0)
  const mixed: Record<Part, number> = {
    serve: node('serve'),
    work: node('work'),
    postgres: mixedCpu('postgres'),
    redis: mixedCpu('redis'),
  }
  const bytes = (name: string) => value(`mixed.bytes.${name}`)
  return {
    operations: collect(Object.keys(workload), (name): OperationCost =>
      collect(costColumns, (column) => value(`cost.${name}.${column}`)),
    ),
    mixed,
    mixed_wal_bytes: bytes('wal'),
    stored: collect(sizedTables, (table): StoredBytes => ({
      heap: figures.get(`mixed.heap.${table}`)?.value ?? 0,
      indexes: figures.get(`mixed.indexes.${table}`)?.value ?? 0,
    })),
    http_out_bytes: bytes('http.received') + bytes('webhooks.sent'),
    http_in_bytes: bytes('http.sent') + bytes('webhooks.received'),
    database_bytes: bytes('postgres.sent') + bytes('postgres.received'),
    memory_mb: {
      serve: value('footprint.serve.memory_under_load'),
      work: value('footprint.work.memory_under_load'),
    },
  }
}

function collect<Name extends string, Value>(
  names: readonly Name[],
  read: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, Value> // one for each name
}
