import type { ConformanceCheck, Prerequisite, SpecificationPart } from './check.ts'
import { parts } from './parts/list-parts.ts'
import { createServiceClient, type Target } from './target.ts'

export type CheckResult = {
  part: number
  ids: readonly string[]
  title: string
  outcome: 'passed' | 'deviates' | 'skipped'
  /** What the service did, or which option is missing. */
  detail?: string
}

export type ConformanceOptions = {
  /** Only this part of the specification. */
  part?: number | undefined
  /** Only the checks of this requirement. */
  id?: string | undefined
  onResult?: (result: CheckResult) => void
}

/** Runs the checks of all parts of the specification against a service. */
export async function runConformance(
  target: Target,
  { part, id, onResult }: ConformanceOptions = {},
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const each of parts) {
    if (part !== undefined && each.number !== part) continue
    for (const check of each.checks) {
      if (id !== undefined && !check.ids.includes(id)) continue
      const result = await runCheck(each, check, target)
      results.push(result)
      onResult?.(result)
    }
  }
  return results
}

async function runCheck(
  { number }: SpecificationPart,
  { ids, title, needs = [], run }: ConformanceCheck,
  target: Target,
): Promise<CheckResult> {
  const checked = { part: number, ids, title }
  const missing = needs.filter((need) => target[need] === undefined || target[need] === false)
  if (missing.length > 0)
    return { ...checked, outcome: 'skipped', detail: `needs ${missing.map(findOption).join(', ')}` }
  try {
    await run({ ...target, ...createServiceClient(target) })
    return { ...checked, outcome: 'passed' }
  } catch (error) {
    // A deviation; an unexpected response, on which the check throws another error, is one too.
    return { ...checked, outcome: 'deviates', detail: error instanceof Error ? error.message : String(error) }
  }
}

const optionNames: Record<Prerequisite, string> = {
  other_key: '--other-key',
  read_key: '--read-key',
  live_key: '--live-key',
  expired_key: '--expired-key',
  quota_key: '--quota-key',
  wallet: '--wallet',
  receiver: '--webhook-secret',
  slow: '--slow',
}

function findOption(need: Prerequisite): string {
  return optionNames[need]
}
