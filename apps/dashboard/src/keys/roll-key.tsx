import { useState } from 'react'
import type { Key } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { OperationOutput } from '../api/call.ts'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { ChoiceField, ChoiceGroup } from '../ui/field.tsx'
import { CreatedKeyDialog } from './created-key.tsx'

const overlaps_seconds = [0, 3600, 86_400, 604_800] as const

/** Replaces a key and shows its replacement once. */
export function RollKey({ target, onClose }: { target: Key; onClose: () => void }) {
  const text = useTexts().editing.roll_key
  const environment = useEnvironment()
  const roll = useOperationMutation('rollKey', ['listKeys', 'getOverview'])
  const [overlap_seconds, setOverlap] = useState<(typeof overlaps_seconds)[number]>(86_400)
  const [created, setCreated] = useState<OperationOutput<'rollKey'>>()
  if (created !== undefined) return <CreatedKeyDialog createdKey={created} onClose={onClose} />
  return (
    <FormDialog
      open
      persistent
      onClose={onClose}
      title={fillIn(text.title, { name: target.name })}
      description={text.description}
      submit={text.submit}
      onSubmit={() =>
        roll.mutate(
          { params: { environment, id: target.id }, json: { overlap_seconds } },
          { onSuccess: setCreated },
        )
      }
      busy={roll.isPending}
      error={roll.error}
    >
      <ChoiceGroup legend={text.overlap}>
        {overlaps_seconds.map((seconds) => (
          <ChoiceField
            key={seconds}
            kind="radio"
            name="overlap"
            label={text.overlaps[seconds]}
            hint={seconds === 0 ? text.overlap_now_hint : undefined}
            checked={overlap_seconds === seconds}
            onChange={() => setOverlap(seconds)}
          />
        ))}
      </ChoiceGroup>
    </FormDialog>
  )
}
