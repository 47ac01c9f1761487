import { resourceAttacks } from '../../packages/protocol/test/resource-attacks.ts'
import { openAttackRunner } from '../../packages/protocol/test/open-attack-runner.ts'
import type { ChaosRun } from '../chaos-run.ts'

const limits = { cpu_ms: 250, grown_mib: 64 }

/** Presentations and status lists that are expensive to read, each `n` times in a separate process. `lost` counts those that exceed the limits. */
export const expensivePresentations: ChaosRun = async ({ n = 3 }) => {
  const report = { name: 'presentations', faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }
  for (const name of Object.keys(resourceAttacks)) {
    for (let turn = 0; turn < n; turn += 1) {
      using range = openAttackRunner()
      const { status, code, cpu_ms, grown_mib } = await range.run(name)
      report.faults += 1
      report.acknowledged += 1
      if (cpu_ms > limits.cpu_ms || grown_mib > limits.grown_mib) report.lost += 1
      const cost = `${cpu_ms.toFixed(1)} ms of CPU, ${grown_mib.toFixed(1)} MiB`
      process.stderr.write(`${name}: ${code ?? status}, ${cost}\n`)
    }
  }
  return report
}
