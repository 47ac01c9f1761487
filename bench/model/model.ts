import { sizedTables } from '../mixed/sizes.ts'
import { workload } from '../mixed/workload.ts'
import type { Assumptions } from './assumptions.ts'
import type { Price } from './prices.ts'

/** What one operation uses, as `bench -- cost` measures it. CPU time is in microseconds. */
export type OperationCost = {
  main: number
  threads: number
  runtime: number
  postgres: number
  redis: number
  wal_bytes: number
}

/** What one verification leaves in a table. */
export type StoredBytes = { heap: number; indexes: number }

/** Everything that was measured. */
export type Inputs = {
  operations: Record<keyof typeof workload, OperationCost>
  /** CPU time of the workload as a whole by part, in microseconds for a verification: it also has what belongs to no operation. */
  mixed: Record<Part, number>
  mixed_wal_bytes: number
  stored: Record<(typeof sizedTables)[number], StoredBytes>
  /** What a verification makes clients and receivers of webhooks get from the service, and send to it. */
  http_out_bytes: number
  http_in_bytes: number
  database_bytes: number
  memory_mb: { serve: number; work: number }
}

const parts = ['serve', 'work', 'postgres', 'redis'] as const
export type Part = (typeof parts)[number]

export type Capacity = {
  rate: number
  cells: number
  /** Why there are not fewer cells: how many each limit asks for. */
  cells_by: Record<'cpu' | 'wal' | 'disk', number>
  /** Cores that are busy at the peak, and the share of one that the main threads of all `serve` take. */
  busy: Record<Part, number>
  busy_main_thread: number
  /** vCPUs to rent, at the utilisation that the assumptions allow. */
  vcpus: Record<Part, number>
  processes: { serve: number; work: number }
  connections: number
  memory_gb: number
  wal_mb_per_second: number
  /** What all tables hold once retention has run through, on one server and with the standbys. */
  stored_tb: number
  copies_tb: number
  network_out_mb_per_second: number
  network_in_mb_per_second: number
  database_network_mb_per_second: number
  out_tb_per_month: number
}

const us_per_second = 1e6
const month_seconds = 730 * 3600
const day_seconds = 86_400

/** CPU time of one verification in each part, as the sum of its operations. */
export function sumOperations({ operations }: Pick<Inputs, 'operations'>): Record<Part, number> {
  const sum = (value: (cost: OperationCost) => number, of: (name: string) => boolean) =>
    Object.entries(workload)
      .filter(([name]) => of(name))
      .reduce((total, [name, count]) => total + count * value(costOf(operations, name)), 0)
  const node = ({ main, threads, runtime }: OperationCost) => main + threads + runtime
  return {
    serve: sum(node, (name) => name !== 'delivery'),
    work: sum(node, (name) => name === 'delivery'),
    postgres: sum(
      ({ postgres }) => postgres,
      () => true,
    ),
    redis: sum(
      ({ redis }) => redis,
      () => true,
    ),
  }
}

/**
 * What a rate of creations needs. Of the two measurements of a part, the sum of its operations and the workload as a whole, the
 * higher counts. Machines are rented for the peak, disks for the average.
 */
export function computeCapacity(inputs: Inputs, assumptions: Assumptions, rate: number): Capacity {
  const sums = sumOperations(inputs)
  const used = (part: Part) => (Math.max(sums[part], inputs.mixed[part]) * rate) / us_per_second
  const vcpus = (part: Part, factor = 1) => Math.ceil((used(part) * factor) / assumptions.utilisation)
  const average = rate / assumptions.peak_factor
  const stored_tb = (average * day_seconds * storedPerVerification(inputs, assumptions)) / 1e12
  const wal_mb_per_second = (inputs.mixed_wal_bytes * rate) / 1e6
  const cells_by = {
    cpu: used('postgres') / assumptions.utilisation / assumptions.database_vcpus,
    wal: wal_mb_per_second / assumptions.max_wal_mb_per_second,
    disk: stored_tb / assumptions.max_disk_tb,
  }
  const cells = Math.max(1, Math.ceil(Math.max(...Object.values(cells_by))))
  const mainThread = Object.entries(workload)
    .filter(([name]) => name !== 'delivery')
    .reduce((total, [name, count]) => total + count * costOf(inputs.operations, name).main, 0)
  const delivery = workload.delivery * inputs.operations.delivery.main
  const processesFor = (main_us: number) =>
    Math.max(2 * cells, Math.ceil((main_us * rate) / us_per_second / assumptions.utilisation))
  const processes = { serve: processesFor(mainThread), work: processesFor(delivery) }
  return {
    rate,
    cells,
    cells_by,
    busy: { serve: used('serve'), work: used('work'), postgres: used('postgres'), redis: used('redis') },
    busy_main_thread: (mainThread * rate) / us_per_second,
    vcpus: {
      serve: vcpus('serve'),
      work: vcpus('work'),
      // A standby replays what the primary wrote, and takes its place.
      postgres: vcpus('postgres', 1 + assumptions.standbys),
      redis: Math.max(cells, vcpus('redis')),
    },
    processes,
    connections: (processes.serve + processes.work) * assumptions.pool_size,
    memory_gb: (processes.serve * inputs.memory_mb.serve + processes.work * inputs.memory_mb.work) / 1000,
    wal_mb_per_second,
    stored_tb,
    copies_tb: stored_tb * (1 + assumptions.standbys),
    network_out_mb_per_second: (inputs.http_out_bytes * rate) / 1e6,
    network_in_mb_per_second: (inputs.http_in_bytes * rate) / 1e6,
    database_network_mb_per_second: (inputs.database_bytes * rate) / 1e6,
    out_tb_per_month: (inputs.http_out_bytes * average * month_seconds) / 1e12,
  }
}

/** Bytes of all tables for a verification that is created every day of the retention, in other words bytes times days. */
function storedPerVerification({ stored }: Pick<Inputs, 'stored'>, { kept_days }: Assumptions): number {
  return sizedTables.reduce(
    (total, table) => total + (stored[table].heap + stored[table].indexes) * kept_days[table],
    0,
  )
}

export type MonthlyCost = { servers: number; disks: number; traffic: number; total: number }

/** What that costs in a month at a provider's list prices, in euros. */
export function computeCost(capacity: Capacity, assumptions: Assumptions, price: Price): MonthlyCost {
  const vcpus = parts.reduce((total, part) => total + capacity.vcpus[part], 0)
  const servers = vcpus * price.vcpu_month
  const disks = capacity.copies_tb * 1000 * (1 + assumptions.free_disk) * price.disk_gb_month
  const traffic = capacity.out_tb_per_month * 1000 * price.out_gb
  return { servers, disks, traffic, total: servers + disks + traffic }
}

function costOf(operations: Inputs['operations'], name: string): OperationCost {
  const cost = operations[name as keyof typeof workload]
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- the figures come from a file
  if (cost === undefined) throw new Error(`the cost of ${name} was not measured`)
  return cost
}
