import type { Bench, Figure } from './figure.ts'

/**
 * `npm run bench [-- name…]`: prints one JSON line per figure. A name selects the benchmarks that start with it: `create` or
 * `create.hot_tenant`. `cost`, `growth`, `steps` and `report` are commands of their own; `scale` measures what the scale page shows, and
 * writes it.
 */
const benchFiles: Record<string, () => Promise<{ benches: Record<string, Bench> }>> = {
  audit: () => import('./audit.ts'),
  coalesce: () => import('./coalesce.ts'),
  create: () => import('./create.ts'),
  growth: () => import('./growth/main.ts'),
  http: () => import('./http.ts'),
  libraries: () => import('./libraries.ts'),
  metadata: () => import('./metadata.ts'),
  mixed: () => import('./mixed/mixed.ts'),
  peers: () => import('./peers/benches.ts'),
  protocol: () => import('./protocol.ts'),
  request_log: () => import('./request-log.ts'),
  signing: () => import('./signing.ts'),
  status: () => import('./status.ts'),
  traces: () => import('./traces/benches.ts'),
  trust_lists: () => import('./trust-lists.ts'),
  wallet: () => import('./wallet.ts'),
  webhook: () => import('./webhook.ts'),
  // Starts servers of its own, which benchmarks after it would use.
  footprint: () => import('./footprint.ts'),
  young_generation: () => import('./young-generation.ts'),
}

const ofScalePage = ['create', 'http', 'status', 'wallet', 'webhook.deliver', 'protocol', 'footprint']

const [command, ...args] = process.argv.slice(2)
if (command === 'cost') await (await import('./cost/main.ts')).reportCost(args)
else if (command === 'growth') await (await import('./growth/main.ts')).reportGrowth(args)
else if (command === 'steps') await (await import('./steps/main.ts')).reportSteps(args)
else if (command === 'report') (await import('./report/main.ts')).reportFiles(args)
else if (command === 'scale') {
  const { measureCosts } = await import('./cost/main.ts')
  const { writeReport } = await import('./report/main.ts')
  writeReport([...(await runBenches(ofScalePage)), ...(await measureCosts())])
} else if ((await runBenches(process.argv.slice(2))).length === 0) {
  process.stderr.write(`There is no benchmark ${process.argv.slice(2).join(' or ')}.\n`)
  process.exitCode = 2
}

async function runBenches(wanted: readonly string[]): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [file, load] of Object.entries(benchFiles)) {
    if (wanted.length > 0 && !wanted.some((name) => name.split('.')[0] === file)) continue
    for (const [name, bench] of Object.entries((await load()).benches)) {
      if (wanted.length > 0 && !wanted.some((prefix) => name.startsWith(prefix))) continue
      const measured = await bench()
      for (const figure of measured) process.stdout.write(`${JSON.stringify(figure)}\n`)
      figures.push(...measured)
    }
  }
  return figures
}
