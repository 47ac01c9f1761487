import type { Answer } from '../state/answer.ts'
import { findAge } from './ages.ts'
import { fillIn } from './fill-in.ts'
import { formatTime } from './format-time.ts'
import type { TillTexts } from './languages/en.ts'

/** Why the answer is what it is. A Yes needs no reason. */
export function describeReason(
  answer: Answer,
  template: string | undefined,
  text: TillTexts,
): string | undefined {
  switch (answer.word) {
    case 'yes':
      return undefined
    case 'no': {
      const age = template === undefined ? undefined : findAge(template)
      if (answer.reason === 'requirement_not_met' && age !== undefined)
        return fillIn(text.not_over_age, { age: String(age) })
      return text.no[answer.reason]
    }
    case 'not_checked':
      if (answer.reason !== 'quota_spent') return text.not_checked[answer.reason]
      return fillIn(text.not_checked.quota_spent, { time: formatTime(answer.again_at) })
  }
}

/** Whether the same check may succeed if it is tried again. */
export function mayTryAgain(answer: Answer): boolean {
  return (
    answer.word !== 'not_checked' ||
    !['quota_spent', 'suspended', 'template_withdrawn'].includes(answer.reason)
  )
}
