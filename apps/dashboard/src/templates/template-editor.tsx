import { useEffect, useRef, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { focusFirstInvalidField, TextArea, TextField } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
import { CodeBlock } from '../ui/copyable.tsx'
import { useToast } from '../ui/toast.tsx'
import { composeTemplate, readDraft, type Draft, type Template } from './compose.ts'
import { DraftForm, NameCard } from './draft-form.tsx'
import { HolderPreview } from './holder-preview.tsx'
import { Lints } from './lints.tsx'
import { isKey, maxKey, proposeKey } from './propose-key.ts'
import { RegistrationChoice, type ChosenRegistration } from './registration-choice.tsx'
import { TryTemplate } from './try-template.tsx'

const newDraft: Draft = {
  name: '',
  description: '',
  purpose: [],
  documents: ['pid', 'mdl'],
  formats: ['dc+sd-jwt', 'mso_mdoc'],
  claims: ['age_over_18'],
  must: { age_over_18: { equals: true } },
  // Without the date of birth as a fallback, which most documents do not need.
  derive: false,
}

type TemplateEditorProps = { templateKey?: string; saved?: Template; registration?: ChosenRegistration }

/** Shows the form if it can represent the template, and JSON otherwise. */
export function TemplateEditor({ templateKey, saved, registration = null }: TemplateEditorProps) {
  const { templates, common } = useTexts()
  const text = templates.editor
  const environment = useEnvironment()
  const [draft, setDraft] = useState<Draft | undefined>(() =>
    saved === undefined ? newDraft : readDraft(saved),
  )
  const [json, setJson] = useState(() => JSON.stringify(saved ?? {}, undefined, 2))
  /** Follows the name until it is edited. */
  const [typedKey, setKey] = useState(templateKey)
  const key = typedKey ?? proposeKey(draft?.name ?? '')
  const [chosen, setChosen] = useState(registration)
  const [submitted, setSubmitted] = useState(false)
  const form = useRef<HTMLDivElement>(null)
  const jsonField = useRef<HTMLTextAreaElement>(null)
  const wasForm = useRef(draft !== undefined)
  // The pressed button disappears with the form, so the focus moves to the JSON that replaces it.
  useEffect(() => {
    if (wasForm.current && draft === undefined) jsonField.current?.focus()
    wasForm.current = draft !== undefined
  }, [draft])
  const save = useOperationMutation('putTemplate', ['listTemplates', 'getTemplate'])
  const assign = useOperationMutation('assignRegistration', [
    'getTemplate',
    'listRegistrations',
    'getRegistration',
  ])
  const navigate = useNavigate()
  const showToast = useToast()

  const template = draft === undefined ? parseTemplate(json) : composeTemplate(draft)
  const hasName = draft === undefined || draft.name.trim() !== ''
  // A missing name is no issue while someone types.
  const checked =
    hasName || template === undefined
      ? template
      : { ...template, name: templates.new, description: templates.new }
  const finish = () => {
    showToast(text.saved)
    if (templateKey === undefined)
      void navigate({ to: '/$environment/templates/$key', params: { environment, key: key.trim() } })
  }
  const submit = () => {
    setSubmitted(true)
    focusFirstInvalidField(form.current)
    if (template === undefined || (templateKey === undefined && !isKey(key.trim())) || !hasName) return
    const params = { key: key.trim() }
    save.mutate(
      { params, json: { template } },
      {
        onSuccess: ({ saved: wasSaved }) => {
          if (!wasSaved) return
          if (chosen === registration) finish()
          else assign.mutate({ params, json: { registration_id: chosen } }, { onSuccess: finish })
        },
      },
    )
  }
  const keyMissing = submitted && key.trim() === '' ? text.key_missing : undefined
  const keyError = key.trim() === '' || isKey(key.trim()) ? keyMissing : text.key_invalid
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[1fr_22rem]">
      <div ref={form} className="grid min-w-0 gap-6">
        {draft !== undefined && (
          <NameCard
            draft={draft}
            onChange={setDraft}
            nameError={submitted && !hasName ? text.name_missing : undefined}
          />
        )}
        {templateKey === undefined && (
          <Card title={text.key_title}>
            <TextField
              label={templates.key}
              hint={<Sentence text={text.key_hint} values={{ member: <code>template</code> }} />}
              className="font-mono text-sm"
              placeholder="club_entry"
              maxLength={maxKey}
              value={key}
              onChange={({ target }) => setKey(target.value)}
              error={keyError}
            />
          </Card>
        )}
        {draft === undefined ? (
          <Card title={common.template} description={text.as_json}>
            <TextArea
              ref={jsonField}
              label={text.json}
              rows={24}
              value={json}
              onChange={({ target }) => setJson(target.value)}
              error={template === undefined ? text.json_invalid : undefined}
            />
          </Card>
        ) : (
          <DraftForm draft={draft} onChange={setDraft} />
        )}
        <RegistrationChoice template={checked} chosen={chosen} onChoose={setChosen} />
        {save.error !== null && <ErrorMessage error={save.error} inline />}
        {assign.error !== null && <ErrorMessage error={assign.error} inline />}
        {save.data?.saved === false && <ErrorMessage error={new Error(text.not_saved)} inline />}
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" busy={save.isPending || assign.isPending} onClick={submit}>
            {text.save}
          </Button>
          {draft !== undefined && (
            <Button
              variant="quiet"
              onClick={() => {
                setJson(JSON.stringify(template, undefined, 2))
                setDraft(undefined)
              }}
            >
              {text.edit_as_json}
            </Button>
          )}
        </div>
        {draft !== undefined && template !== undefined && (
          <Card title={text.query} description={text.query_description}>
            <CodeBlock text={JSON.stringify(template['query'], undefined, 2)} label={text.copy_query} />
          </Card>
        )}
      </div>
      <div className="grid content-start gap-6 self-stretch">
        {templateKey !== undefined && saved !== undefined && (
          <TryTemplate templateKey={templateKey} template={saved} />
        )}
        {template !== undefined && (
          <div className="grid gap-6 xl:sticky xl:top-12">
            <HolderPreview template={template} />
            {checked !== undefined && <Lints template={checked} registration={chosen} />}
          </div>
        )}
      </div>
    </div>
  )
}

function parseTemplate(text: string): Template | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    // Incomplete JSON is normal while someone types.
    return undefined
  }
}
