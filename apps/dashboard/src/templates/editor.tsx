import { useEffect, useRef, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { useChange } from '../api/queries.ts'
import { useEnvironment } from '../shell/me.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'
import { showFirstFault, TextArea, TextField } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
import { CodeBlock } from '../ui/secret.tsx'
import { useSay } from '../ui/toast.tsx'
import { composeTemplate, readDraft, type Draft, type Template } from './compose.ts'
import { DraftForm } from './draft-form.tsx'
import { HolderSees } from './holder-sees.tsx'
import { Lints } from './lints.tsx'
import { TryTemplate } from './try-template.tsx'

const fresh: Draft = {
  name: '',
  description: '',
  documents: ['pid', 'mdl'],
  formats: ['dc+sd-jwt', 'mso_mdoc'],
  claims: ['age_over_18'],
  must: ['age_over_18'],
  derive: true,
}

type EditorProps = { templateKey?: string; saved?: Template }

/** By ticking, where the form could have made the template; otherwise as text. */
export function Editor({ templateKey, saved }: EditorProps) {
  const environment = useEnvironment()
  const [draft, setDraft] = useState<Draft | undefined>(() =>
    saved === undefined ? fresh : readDraft(saved),
  )
  const [text, setText] = useState(() => JSON.stringify(saved ?? {}, undefined, 2))
  const [key, setKey] = useState(templateKey ?? '')
  const [asked, setAsked] = useState(false)
  const form = useRef<HTMLDivElement>(null)
  const json = useRef<HTMLTextAreaElement>(null)
  const ticked = useRef(draft !== undefined)
  // Where the form was, its text is: the button that was pressed is gone, and the focus goes on to what it made.
  useEffect(() => {
    if (ticked.current && draft === undefined) json.current?.focus()
    ticked.current = draft !== undefined
  }, [draft])
  const save = useChange('putTemplate', ['listTemplates', 'getTemplate'])
  const navigate = useNavigate()
  const say = useSay()

  const template = draft === undefined ? parse(text) : composeTemplate(draft)
  const named = draft === undefined || draft.name.trim() !== ''
  const submit = () => {
    setAsked(true)
    showFirstFault(form.current)
    if (template === undefined || key.trim() === '' || !named) return
    save.mutate(
      { params: { key: key.trim() }, json: { template } },
      {
        onSuccess: ({ saved: done }) => {
          if (!done) return
          say('Saved. Verifications from now on use it; earlier ones keep what they were created with.')
          if (templateKey === undefined)
            void navigate({ to: '/$environment/templates/$key', params: { environment, key: key.trim() } })
        },
      },
    )
  }
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[1fr_22rem]">
      <div ref={form} className="grid min-w-0 gap-6">
        {templateKey === undefined && (
          <Card title="In your code">
            <TextField
              label="Key"
              hint="What your code names it by. It cannot be changed later."
              className="font-mono text-sm"
              placeholder="club_entry"
              maxLength={64}
              value={key}
              onChange={({ target }) => setKey(target.value)}
              error={asked && key.trim() === '' ? 'Enter a key.' : undefined}
            />
          </Card>
        )}
        {draft === undefined ? (
          <Card title="Template" lead="It was written by hand, so it is edited as text.">
            <TextArea
              ref={json}
              label="JSON"
              rows={24}
              value={text}
              onChange={({ target }) => setText(target.value)}
              error={template === undefined ? 'This is no JSON object.' : undefined}
            />
          </Card>
        ) : (
          <DraftForm
            draft={draft}
            onChange={setDraft}
            nameError={asked && !named ? 'Enter a name.' : undefined}
          />
        )}
        {save.error !== null && <Failure error={save.error} inline />}
        {save.data?.saved === false && (
          <Failure error={new Error('It was not saved: see what is wrong with it.')} inline />
        )}
        <div className="flex flex-wrap gap-2">
          <Button look="primary" busy={save.isPending} onClick={submit}>
            Save template
          </Button>
          {draft !== undefined && (
            <Button
              look="quiet"
              onClick={() => {
                setText(JSON.stringify(template, undefined, 2))
                setDraft(undefined)
              }}
            >
              Edit as text
            </Button>
          )}
        </div>
        {draft !== undefined && template !== undefined && (
          <Card title="What wallets get" lead="The DCQL query, as you tick.">
            <CodeBlock text={JSON.stringify(template['query'], undefined, 2)} label="Copy query" />
          </Card>
        )}
      </div>
      <div className="grid content-start gap-6 self-stretch">
        {templateKey !== undefined && <TryTemplate templateKey={templateKey} />}
        {template !== undefined && (
          <div className="grid gap-6 xl:sticky xl:top-12">
            <HolderSees template={template} />
            <Lints template={named ? template : { ...template, name: 'New', description: 'New' }} />
          </div>
        )}
      </div>
    </div>
  )
}

function parse(text: string): Template | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    // Half-typed text is the normal case here.
    return undefined
  }
}
