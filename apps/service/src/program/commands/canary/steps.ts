import { failureReason } from './failure-reason.ts'

/** A reported step of a probe. */
export type CanaryStep = {
  probe: string
  step: string
  ok: boolean
  duration_ms: number
  error?: string
}

/** A step failed. Its reason is already reported. */
export class StepError extends Error {
  override name = 'StepError'
}

export type StepRecorder = {
  /** Runs one step, reports it with its duration, and throws StepFailed when it fails. */
  record<Result>(step: string, work: () => Promise<Result>): Promise<Result>
}

/** Reports every step of one probe to `onStep`. */
export function stepRecorder(probe: string, onStep: (step: CanaryStep) => void): StepRecorder {
  return {
    async record(step, work) {
      const startedAt_ms = performance.now()
      const elapsed_ms = () => Math.round(performance.now() - startedAt_ms)
      try {
        const result = await work()
        onStep({ probe, step, ok: true, duration_ms: elapsed_ms() })
        return result
      } catch (error) {
        // Reporting any failure is the purpose of the canary.
        onStep({ probe, step, ok: false, duration_ms: elapsed_ms(), error: failureReason(error) })
        throw new StepError(step)
      }
    },
  }
}
