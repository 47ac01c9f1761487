import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '../wait-until.ts'
import { freePort } from './redis-server.ts'

type Rule = {
  name: string
  query: string
  health: string
  lastError?: string
  annotations: Record<string, string>
}
type PrometheusSeries = { metric: Record<string, string>; value: [number, string] }

export type PrometheusServer = {
  /** The series of an instant query. Throws if the expression is invalid. */
  query(expression: string): Promise<PrometheusSeries[]>
  /** Every alert rule, as evaluated last. */
  rules(): Promise<Rule[]>
} & AsyncDisposable

/** A real Prometheus that scrapes the targets, `127.0.0.1:9464`, every second and evaluates the rule files as often. */
export async function startPrometheus(targets: string[], rule_files: string[]): Promise<PrometheusServer> {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-prometheus-'))
  const file = join(folder, 'prometheus.yml')
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files,
      scrape_configs: [{ job_name: 'vidimus', static_configs: [{ targets }] }],
    }),
  )
  const port = await freePort()
  const args = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  const child = spawn('prometheus', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const log: string[] = []
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()))
  const address = `http://127.0.0.1:${port}`
  await waitUntil(
    () => {
      if (child.exitCode !== null) throw new Error(`Prometheus did not start:\n${log.join('')}`)
      return fetch(`${address}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    },
    { within_ms: 60_000 },
  )

  async function ask(path: string) {
    // oxlint-disable-next-line typescript/no-explicit-any -- the API of Prometheus is documented
    const body: any = await (await fetch(`${address}/api/v1/${path}`)).json()
    if (body.status !== 'success')
      throw new Error(`Prometheus refused ${decodeURIComponent(path)}: ${body.error}`)
    return body.data
  }

  return {
    query: async (expression) => (await ask(`query?query=${encodeURIComponent(expression)}`)).result,
    rules: async () => (await ask('rules')).groups.flatMap(({ rules }: { rules: Rule[] }) => rules),
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true })
    },
  }
}
