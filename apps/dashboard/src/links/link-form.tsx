import { useState } from 'react'
import type { VerificationLink } from '@vidimus/contract'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTemplates } from '../templates/template-name.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { ChoiceField, ChoiceGroup, SelectField, TextField } from '../ui/field.tsx'
import { NamedFormDialog, useNamedForm } from '../ui/named-form.tsx'
import { useToast } from '../ui/toast.tsx'
import { fromLocalInput, toLocalInput } from '../webhooks/local-input.ts'

const kinds = ['reusable', 'single_use'] as const
const dailyLimits = { reusable: '100', single_use: '10' }
const maxDailyLimit = 100_000

/** Creates a link, or edits one. Whether it works once or many times is decided once. */
export function LinkForm({
  link,
  onClose,
  onSaved,
}: {
  link: VerificationLink | undefined
  onClose: () => void
  onSaved: (link: VerificationLink) => void
}) {
  const { links, common } = useTexts()
  const text = links.form
  const environment = useEnvironment()
  const templates = useTemplates()
  const create = useOperationMutation('createLink', ['listLinks'])
  const change = useOperationMutation('changeLink', ['listLinks', 'getLink'])
  const showToast = useToast()
  const form = useNamedForm(link)
  const [template, setTemplate] = useState(link?.template ?? 'age_over_18')
  const [kind, setKind] = useState<(typeof kinds)[number]>('reusable')
  const [limit, setLimit] = useState<string | undefined>(link && String(link.daily_limit))
  const [expires, setExpires] = useState(
    link?.expires_at === undefined ? '' : toLocalInput(new Date(link.expires_at)),
  )
  const [redirect, setRedirect] = useState(link?.redirect_url ?? '')
  const [mail, setMail] = useState(link?.mail_results ?? false)
  const daily_limit = Number(limit ?? dailyLimits[kind])
  const limitIsValid = Number.isInteger(daily_limit) && daily_limit >= 1 && daily_limit <= maxDailyLimit
  const submit = () => {
    if (!limitIsValid) return
    const json = { name: form.name, template, daily_limit, mail_results: mail }
    const [target, expires_at] = [redirect.trim(), fromLocalInput(expires)]
    if (link === undefined)
      create.mutate(
        {
          params: { environment },
          json: {
            ...json,
            single_use: kind === 'single_use',
            ...(form.purpose !== '' && { purpose: form.purpose }),
            ...(target !== '' && { redirect_url: target }),
            ...(expires_at !== undefined && { expires_at }),
          },
        },
        { onSuccess: (created) => (onClose(), onSaved(created)) },
      )
    else
      change.mutate(
        {
          params: { environment, id: link.id },
          json: {
            ...json,
            purpose: form.purpose || null,
            redirect_url: target || null,
            expires_at: expires_at ?? null,
          },
        },
        { onSuccess: (changed) => (onClose(), showToast(text.saved), onSaved(changed)) },
      )
  }
  return (
    <NamedFormDialog
      form={form}
      text={text}
      nameLabel={common.name}
      title={link === undefined ? text.title : text.edit_title}
      submit={link === undefined ? links.create : text.save}
      requests={[create, change]}
      onClose={onClose}
      onSubmit={submit}
      asked={
        <>
          <SelectField
            label={common.template}
            hint={text.template_hint}
            value={template}
            onChange={({ target }) => setTemplate(target.value)}
          >
            {(templates.data ?? [{ key: template, name: template }]).map((each) => (
              <option key={each.key} value={each.key}>
                {each.name}
              </option>
            ))}
          </SelectField>
          {link === undefined && (
            <ChoiceGroup legend={links.kind}>
              {kinds.map((each) => (
                <ChoiceField
                  key={each}
                  kind="radio"
                  name="kind"
                  label={links.kinds[each]}
                  hint={text.kind_hints[each]}
                  checked={kind === each}
                  onChange={() => setKind(each)}
                />
              ))}
            </ChoiceGroup>
          )}
        </>
      }
    >
      <TextField
        label={text.daily_limit}
        hint={text.daily_limit_hint}
        inputMode="numeric"
        maxLength={6}
        value={limit ?? dailyLimits[kind]}
        onChange={({ target }) => setLimit(target.value)}
        error={form.submitted && !limitIsValid ? text.daily_limit_wrong : undefined}
      />
      <TextField
        type="datetime-local"
        label={text.expires}
        hint={text.expires_hint}
        value={expires}
        onChange={({ target }) => setExpires(target.value)}
      />
      <TextField
        label={text.redirect}
        hint={text.redirect_hint}
        type="url"
        inputMode="url"
        placeholder="https://shop.example/thanks"
        maxLength={2048}
        value={redirect}
        onChange={({ target }) => setRedirect(target.value)}
      />
      <ChoiceField
        label={text.mail}
        hint={text.mail_hint}
        checked={mail}
        onChange={({ target }) => setMail(target.checked)}
      />
    </NamedFormDialog>
  )
}
