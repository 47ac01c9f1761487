import type { Key } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useEnvironment } from '../shell/shell-context.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { ChangeDialog } from '../ui/change-dialog.tsx'

export function RevokeKey({ target, onClose }: { target: Key; onClose: () => void }) {
  const text = useTexts().keys.revoke
  const { name } = target
  const environment = useEnvironment()
  return (
    <ChangeDialog
      op="revokeKey"
      input={{ params: { environment, id: target.id } }}
      invalidates={['listKeys', 'getOverview']}
      successMessage={fillIn(text.done, { name })}
      title={fillIn(text.title, { name })}
      description={
        <Sentence
          text={text.description}
          values={{ prefix: <code>{target.prefix}…</code>, code: <code>invalid_api_key</code> }}
        />
      }
      submit={text.submit}
      variant="danger"
      onClose={onClose}
    />
  )
}
