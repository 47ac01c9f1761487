import { endWith, tracing } from '../../apps/service/src/platform/tracing/tracing.ts'
import { compare, type Figure } from '../figure.ts'
import { withoutHooks } from './without-hooks.ts'

const rounds = 15
const creations = 500_000

/**
 * What the hooks of one creation take while traces are off, in a loop: all that are in the source, though a creation passes only some. A
 * comparison of whole processes cannot tell a difference of a few nanoseconds from the noise of the machine; this can.
 */
export function measureHooksOff(): Promise<Figure[]> {
  const promise = Promise.resolve()
  const values: number[] = []
  const bare: number[] = []
  for (let round = -2; round < rounds; round += 1) {
    const [withHooks, without] = [time(() => passHooks(promise)), time(() => passNone(promise))]
    // The first rounds are for the compiler.
    if (round < 0) continue
    values.push(withHooks)
    bare.push(without)
  }
  return Promise.resolve([
    compare('traces.hooks_off', `ns of CPU for the ${withoutHooks.length} hooks, compared with none`, {
      values,
      bare,
    }),
  ])
}

/** Nanoseconds of CPU for one creation. */
function time(creation: () => number): number {
  let kept = 0
  const before = process.cpuUsage()
  for (let done = 0; done < creations; done += 1) kept += creation()
  const { user, system } = process.cpuUsage(before)
  // Uses what was computed, so that the compiler cannot leave it out.
  if (kept === 0) throw new Error('the hooks did not run')
  return ((user + system) * 1000) / creations
}

function passHooks(promise: Promise<void>): number {
  let own = 0
  for (let hook = 0; hook < withoutHooks.length; hook += 1)
    own += endWith(tracing.tracer?.startSpan('statement'), promise) === promise ? 1 : 0
  return own
}

function passNone(promise: Promise<void>): number {
  let own = 0
  for (let hook = 0; hook < withoutHooks.length; hook += 1) own += plain(promise) === promise ? 1 : 0
  return own
}

function plain(promise: Promise<void>): Promise<void> {
  return promise
}
