import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import type { TemplateSummary } from '@vidimus/contract'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'

export function DuplicateTemplate({ template, onClose }: { template: TemplateSummary; onClose: () => void }) {
  const environment = useEnvironment()
  const [key, setKey] = useState(`my_${template.key.replace(/^preview\./, '')}`.slice(0, 64))
  const duplicate = useOperationMutation('duplicateTemplate', ['listTemplates'])
  const navigate = useNavigate()
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Duplicate “${template.name}”`}
      description="You can edit the copy. The original does not change."
      submit="Duplicate"
      busy={duplicate.isPending}
      disabled={key.trim() === ''}
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
        label="Key of the copy"
        hint={
          <>
            Used as <code>template</code> in the API.
          </>
        }
        className="font-mono text-sm"
        maxLength={64}
        value={key}
        onChange={({ target }) => setKey(target.value)}
      />
    </FormDialog>
  )
}
