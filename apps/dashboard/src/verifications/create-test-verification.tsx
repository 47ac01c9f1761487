import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { useOperationMutation, useOperationQuery } from '../api/queries.ts'
import { useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { TemplateInputFields, useTemplateInput } from '../templates/template-input.tsx'
import { useTemplates } from '../templates/template-name.tsx'
import { PersonaField } from './persona-field.tsx'

/** Creates a verification in the test environment. A sandbox persona responds at once, or the user's own wallet does. */
export function CreateTestVerification({ onClose }: { onClose: () => void }) {
  const {
    verifications: { create: text },
    common,
  } = useTexts()
  const templates = useTemplates()

  const create = useOperationMutation('createTestVerification', [
    'listVerifications',
    'getOverview',
    'getUsage',
  ])
  const navigate = useNavigate()
  const [template, setTemplate] = useState('age_over_18')
  const detail = useOperationQuery('getTemplate', { params: { key: template } })
  const input = useTemplateInput(detail.data?.template ?? {})
  const [persona, setPersona] = useState('adult')
  const [purpose, setPurpose] = useState('')
  const submit = () => {
    const json = {
      template,
      ...input.given,
      ...(persona !== '' && { persona }),
      ...(purpose.trim() !== '' && { purpose: purpose.trim() }),
    }
    create.mutate(
      { json },
      {
        onSuccess: ({ id }) =>
          void navigate({ to: '/$environment/verifications/$id', params: { environment: 'test', id } }),
      },
    )
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      title={text.title}
      submit={text.submit}
      busy={create.isPending}
      disabled={detail.data === undefined}
      error={create.error ?? templates.error ?? detail.error}
      onSubmit={submit}
    >
      <SelectField
        label={common.template}
        value={template}
        onChange={({ target }) => setTemplate(target.value)}
      >
        {templates.data?.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </SelectField>
      <TemplateInputFields input={input} />
      <PersonaField value={persona} onChange={setPersona} noneHint={text.no_persona_hint} />
      <TextField
        label={text.purpose}
        hint={text.purpose_hint}
        maxLength={300}
        value={purpose}
        onChange={({ target }) => setPurpose(target.value)}
      />
    </FormDialog>
  )
}
