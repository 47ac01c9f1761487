import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useTemplates } from '../templates/template-name.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { ErrorMessage } from '../ui/error-message.tsx'
import { ChoiceField, ChoiceGroup } from '../ui/field.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const maxTemplates = 20

/** The templates that a device or an OpenID client may use. One that was deleted since can only be taken away. */
export function TemplateChoices({
  allowed,
  onChange,
  missing,
  hint,
}: {
  allowed: readonly string[]
  onChange: (allowed: string[]) => void
  missing: boolean
  hint?: string
}) {
  const text = useTexts().devices.form
  const templates = useTemplates()
  const known = templates.data ?? []
  const deleted = allowed.filter((key) => known.every((template) => template.key !== key))
  const toggle = (key: string) =>
    onChange(allowed.includes(key) ? allowed.filter((each) => each !== key) : [...allowed, key])
  return (
    <ChoiceGroup legend={text.templates} hint={fillIn(hint ?? text.templates_hint, { max: maxTemplates })}>
      {templates.error !== null && (
        <ErrorMessage error={templates.error} retry={() => void templates.refetch()} />
      )}
      <div className="max-h-60 overflow-y-auto rounded-md border border-line px-3 py-1">
        {templates.data === undefined && <Skeleton className="my-3 h-5 w-48" />}
        {templates.data !== undefined &&
          [...deleted.map((key) => ({ key, name: key })), ...known].map(({ key, name }) => (
            <ChoiceField
              key={key}
              label={name}
              hint={<code>{key}</code>}
              checked={allowed.includes(key)}
              disabled={allowed.length >= maxTemplates && !allowed.includes(key)}
              onChange={() => toggle(key)}
            />
          ))}
      </div>
      {missing && (
        <p role="alert" className="text-sm text-bad">
          {text.template_missing}
        </p>
      )}
    </ChoiceGroup>
  )
}
