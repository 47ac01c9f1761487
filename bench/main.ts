import type { Bench } from './figure.ts'

/**
 * `npm run bench [-- name…]`: prints one JSON line per figure. A name selects the benchmarks that start with it: `create` or
 * `create.hot_tenant`.
 */
const benchFiles: Record<string, () => Promise<{ benches: Record<string, Bench> }>> = {
  audit: () => import('./audit.ts'),
  coalesce: () => import('./coalesce.ts'),
  create: () => import('./create.ts'),
  growth: () => import('./growth.ts'),
  http: () => import('./http.ts'),
  libraries: () => import('./libraries.ts'),
  protocol: () => import('./protocol.ts'),
  status: () => import('./status.ts'),
  wallet: () => import('./wallet.ts'),
  webhook: () => import('./webhook.ts'),
}

const wanted = process.argv.slice(2)
let ran = 0
for (const [file, load] of Object.entries(benchFiles)) {
  if (wanted.length > 0 && !wanted.some((name) => name.split('.')[0] === file)) continue
  for (const [name, bench] of Object.entries((await load()).benches)) {
    if (wanted.length > 0 && !wanted.some((prefix) => name.startsWith(prefix))) continue
    for (const figure of await bench()) process.stdout.write(`${JSON.stringify(figure)}\n`)
    ran += 1
  }
}
if (ran === 0) {
  process.stderr.write(`There is no benchmark ${wanted.join(' or ')}.\n`)
  process.exitCode = 2
}
