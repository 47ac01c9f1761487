import type { TemplateSummary } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { ChangeDialog } from '../ui/change-dialog.tsx'

export function DeleteTemplate({
  template: { key, name },
  onClose,
}: {
  template: Pick<TemplateSummary, 'key' | 'name'>
  onClose: () => void
}) {
  const text = useTexts().editing.template
  return (
    <ChangeDialog
      op="deleteTemplate"
      input={{ params: { key } }}
      invalidates={['listTemplates']}
      successMessage={fillIn(text.deleted, { name })}
      title={fillIn(text.title, { name })}
      description={<Sentence text={text.description} values={{ key: <code>{key}</code> }} />}
      submit={text.submit}
      variant="danger"
      onClose={onClose}
    >
      {null}
    </ChangeDialog>
  )
}
