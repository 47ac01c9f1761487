import type { Edit } from './edit.ts'
import { mutatePresentation, type PresentationSamples } from './presentation.ts'

/** Applies one change after the other to a presentation. */
export function mutateRepeatedly(sample: PresentationSamples, changes: Edit[]): string {
  return changes.reduce((presentation, edit) => {
    try {
      return mutatePresentation({ ...sample, presentation }, edit)
    } catch {
      // After an earlier edit it is no longer CBOR, or has nothing to choose from. Leave it unchanged.
      return presentation
    }
  }, sample.presentation)
}
