import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import type { TemplateSummary } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { isKey, maxKey } from './propose-key.ts'

export function DuplicateTemplate({ template, onClose }: { template: TemplateSummary; onClose: () => void }) {
  const { duplicate: text, editor } = useTexts().templates
  const invalid = editor.key_invalid
  const environment = useEnvironment()
  const [key, setKey] = useState(`my_${template.key.replace(/^preview\./, '')}`.slice(0, maxKey))
  const duplicate = useOperationMutation('duplicateTemplate', ['listTemplates'])
  const navigate = useNavigate()
  return (
    <FormDialog
      open
      onClose={onClose}
      title={fillIn(text.title, { name: template.name })}
      description={text.description}
      submit={text.button}
      busy={duplicate.isPending}
      disabled={!isKey(key.trim())}
      error={duplicate.error}
      onSubmit={() =>
        duplicate.mutate(
          { params: { key: template.key }, json: { key: key.trim() } },
          {
            onSuccess: (copy) => {
              onClose()
              void navigate({ to: '/$environment/templates/$key', params: { environment, key: copy.key } })
            },
          },
        )
      }
    >
      <TextField
        label={text.key}
        hint={<Sentence text={text.key_hint} values={{ member: <code>template</code> }} />}
        className="font-mono text-sm"
        maxLength={maxKey}
        value={key}
        onChange={({ target }) => setKey(target.value)}
        error={key.trim() === '' || isKey(key.trim()) ? undefined : invalid}
      />
    </FormDialog>
  )
}
