import { importIssuer, type SerializedIssuer } from '@vidimus/sandbox'
import { attacks, type AttackName } from './attacks.ts'
import { openHttpClient } from './http-client.ts'

/** Options of the load generator, which runs in a separate process so that its load is not measured as the service's. */
export type AttackOrder = {
  name: AttackName
  seconds: number
  host: string
  port: number
  key: string
  cookie: string
  issuer: SerializedIssuer
  sandbox_issuer: SerializedIssuer
}

export type AttackReport = { counts: Record<string, number>; cpu_share: number }

process.once('message', (order: AttackOrder) => void attack(order))

async function attack({ name, seconds, host, port, issuer, sandbox_issuer, ...order }: AttackOrder) {
  const counts: Record<string, number> = {}
  let end = Number.POSITIVE_INFINITY
  const client = openHttpClient({ host, port })
  const run = await attacks[name]({
    ...order,
    host,
    port,
    client,
    issuer: importIssuer(issuer, new Date()),
    sandbox_issuer: importIssuer(sandbox_issuer, new Date()),
    over: () => performance.now() > end,
    count: (what) => void (counts[what] = (counts[what] ?? 0) + 1),
  })
  process.send?.('ready')
  await new Promise((resolve) => process.once('message', resolve))
  const began = process.cpuUsage()
  end = performance.now() + seconds * 1000
  const running = run()
  setTimeout(() => {
    const { user, system } = process.cpuUsage(began)
    const report: AttackReport = { counts, cpu_share: (user + system) / 1e6 / seconds }
    process.send?.(report, () => process.exit())
  }, seconds * 1000)
  await running
}
