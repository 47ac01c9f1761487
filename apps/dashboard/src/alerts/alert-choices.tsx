import { useState } from 'react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { OperationOutput } from '../api/call.ts'
import { useOperationMutation, useOperationQuery } from '../api/queries.ts'
import { useMe } from '../shell/shell-context.ts'
import { isLanguage, languageCodes, languageNames } from '../texts/languages.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { ChoiceField, ChoiceGroup, SelectField } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'

/** Which alerts the signed-in member gets by e-mail. */
export function AlertChoices() {
  const text = useTexts().alerts.choices
  const { member } = useMe()
  const choices = useOperationQuery('getAlertChoices', {})
  const { data } = choices
  return (
    <Card
      title={text.title}
      description={
        data?.mail_available === true ? fillIn(text.description, { email: member.email }) : undefined
      }
    >
      {choices.error !== null && <ErrorMessage error={choices.error} retry={() => void choices.refetch()} />}
      {choices.isPending && <SkeletonRows rows={4} />}
      {data?.mail_available === false && <p className="text-sm text-soft">{text.unavailable}</p>}
      {data?.mail_available === true && <ChoicesForm choices={data} />}
    </Card>
  )
}

function ChoicesForm({ choices }: { choices: OperationOutput<'getAlertChoices'> }) {
  const { alerts } = useTexts()
  const text = alerts.choices
  const [wanted, setWanted] = useState(
    new Set(choices.kinds.filter((each) => each.wanted).map((each) => each.kind)),
  )
  const [language, setLanguage] = useState(choices.language)
  const save = useOperationMutation('changeAlertChoices', ['getAlertChoices'])
  const showToast = useToast()
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        const kinds = Object.fromEntries(choices.kinds.map(({ kind }) => [kind, wanted.has(kind)]))
        save.mutate({ json: { kinds, language } }, { onSuccess: () => showToast(text.saved) })
      }}
    >
      <ChoiceGroup legend={text.legend}>
        {choices.kinds.map(({ kind }) => (
          <ChoiceField
            key={kind}
            label={alerts.kinds[kind]}
            checked={wanted.has(kind)}
            onChange={({ target }) => {
              const changed = new Set(wanted)
              if (target.checked) changed.add(kind)
              else changed.delete(kind)
              setWanted(changed)
            }}
          />
        ))}
      </ChoiceGroup>
      <div className="max-w-sm">
        <SelectField
          label={text.language}
          value={language}
          onChange={({ target }) => {
            if (isLanguage(target.value)) setLanguage(target.value)
          }}
        >
          {languageCodes.map((code) => (
            <option key={code} value={code}>
              {languageNames[code]}
            </option>
          ))}
        </SelectField>
      </div>
      {save.error !== null && <ErrorMessage error={save.error} inline />}
      <div>
        <Button type="submit" busy={save.isPending}>
          {text.save}
        </Button>
      </div>
    </form>
  )
}
