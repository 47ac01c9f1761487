import { useState } from 'react'
import type { Key } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { OperationOutput } from '../api/call.ts'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { defaultOverlap_seconds, OverlapChoice, type Overlap } from '../ui/overlap-choice.tsx'
import { CreatedKeyDialog } from './created-key.tsx'

/** Replaces a key and shows its replacement once. */
export function RollKey({ target, onClose }: { target: Key; onClose: () => void }) {
  const text = useTexts().editing.roll_key
  const environment = useEnvironment()
  const roll = useOperationMutation('rollKey', ['listKeys', 'getOverview'])
  const [overlap_seconds, setOverlap] = useState<Overlap>(defaultOverlap_seconds)
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
      <OverlapChoice
        legend={text.overlap}
        nowHint={text.overlap_now_hint}
        value={overlap_seconds}
        onChange={setOverlap}
      />
    </FormDialog>
  )
}
