import { useTexts } from '../texts/texts-context.ts'
import { ChoiceField, ChoiceGroup } from './field.tsx'

const overlaps_seconds = [0, 3600, 86_400, 604_800] as const
export type Overlap = (typeof overlaps_seconds)[number]
export const defaultOverlap_seconds: Overlap = 86_400

export type OverlapChoiceProps = {
  legend: string
  /** What it means that the old secret ends at once. */
  nowHint: string
  /** No overlap can be chosen. */
  onlyNow?: boolean
  value: Overlap
  onChange: (seconds: Overlap) => void
}

/** How long a secret that is replaced works beside the new one. */
export function OverlapChoice({ legend, nowHint, onlyNow = false, value, onChange }: OverlapChoiceProps) {
  const { overlaps } = useTexts().editing.roll_key
  return (
    <ChoiceGroup legend={legend}>
      {overlaps_seconds.map((seconds) => (
        <ChoiceField
          key={seconds}
          kind="radio"
          name="overlap"
          disabled={onlyNow && seconds > 0}
          label={overlaps[seconds]}
          hint={seconds === 0 ? nowHint : undefined}
          checked={value === seconds}
          onChange={() => onChange(seconds)}
        />
      ))}
    </ChoiceGroup>
  )
}
