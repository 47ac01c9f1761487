import type { Check, Need, Part } from './check.ts'
import { parts } from './parts/list.ts'
import { callerOf, type World } from './world.ts'

export type Result = {
  part: number
  ids: string
  title: string
  outcome: 'passed' | 'deviates' | 'not_asked'
  /** What the service did, or what was missing to ask. */
  detail?: string
}

export type RunOptions = {
  /** Only this part of the specification. */
  part?: number | undefined
  /** Only the checks that look at this requirement. */
  id?: string | undefined
  onResult?: (result: Result) => void
}

/** Asks a service everything that can be seen from outside, part after part. */
export async function runConformance(
  world: World,
  { part, id, onResult }: RunOptions = {},
): Promise<Result[]> {
  const results: Result[] = []
  for (const each of parts) {
    if (part !== undefined && each.number !== part) continue
    for (const check of each.checks) {
      if (id !== undefined && !check.ids.split(', ').includes(id)) continue
      const result = await ask(each, check, world)
      results.push(result)
      onResult?.(result)
    }
  }
  return results
}

async function ask({ number }: Part, { ids, title, needs = [], run }: Check, world: World): Promise<Result> {
  const asked = { part: number, ids, title }
  const missing = needs.filter((need) => world[need] === undefined || world[need] === false)
  if (missing.length > 0)
    return { ...asked, outcome: 'not_asked', detail: `needs ${missing.map(optionOf).join(', ')}` }
  try {
    await run({ ...world, ...callerOf(world) })
    return { ...asked, outcome: 'passed' }
  } catch (error) {
    // A deviation, or an answer that no check foresaw, which is one too.
    return { ...asked, outcome: 'deviates', detail: error instanceof Error ? error.message : String(error) }
  }
}

const options: Record<Need, string> = {
  other_key: '--other-key',
  read_key: '--read-key',
  live_key: '--live-key',
  expired_key: '--expired-key',
  quota_key: '--quota-key',
  wallet: '--wallet',
  receiver: '--webhook-secret',
  patience: '--slow',
}

function optionOf(need: Need): string {
  return options[need]
}
