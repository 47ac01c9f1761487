import { useRef } from 'react'
import { Plus, X } from 'lucide-react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { isLanguage, languages } from '@vidimus/holder-texts/language-codes'
import { useLanguage, useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import type { Draft } from './compose.ts'

type PurposeFieldsProps = { purpose: Draft['purpose']; onChange: (purpose: Draft['purpose']) => void }

/** Why the template asks, in each language that it is written in. The first is what wallets show and what is recorded. */
export function PurposeFields({ purpose, onChange }: PurposeFieldsProps) {
  const text = useTexts().templates.form
  const [preferred] = useLanguage()
  const add = useRef<HTMLButtonElement>(null)
  const unused = [preferred, ...Object.keys(languages)].filter(
    (code) => !purpose.some(({ lang }) => lang === code),
  )
  const change = (index: number, to: Partial<Draft['purpose'][number]>) =>
    onChange(purpose.map((each, at) => (at === index ? { ...each, ...to } : each)))
  return (
    <div className="grid gap-4">
      {purpose.map(({ lang, content }, index) => {
        const name = isLanguage(lang) ? languages[lang] : lang
        return (
          <div key={index} className="grid items-start gap-3 sm:grid-cols-[11rem_1fr_auto]">
            <SelectField
              label={text.purpose_language}
              value={lang}
              onChange={({ target }) => change(index, { lang: target.value })}
            >
              {[lang, ...unused].toSorted().map((code) => (
                <option key={code} value={code}>
                  {isLanguage(code) ? languages[code] : code}
                </option>
              ))}
            </SelectField>
            <TextField
              label={fillIn(text.purpose_in, { language: name })}
              lang={lang}
              maxLength={300}
              value={content}
              onChange={({ target }) => change(index, { content: target.value })}
            />
            <Button
              variant="quiet"
              className="max-sm:justify-self-start sm:mt-6.5"
              icon={<X className="size-4" aria-hidden />}
              aria-label={fillIn(text.remove_purpose, { language: name })}
              onClick={() => {
                onChange(purpose.filter((_, at) => at !== index))
                add.current?.focus()
              }}
            >
              {text.remove}
            </Button>
          </div>
        )
      })}
      <div>
        <Button
          ref={add}
          icon={<Plus className="size-4" aria-hidden />}
          onClick={() => onChange([...purpose, { lang: unused[0] ?? preferred, content: '' }])}
        >
          {purpose.length === 0 ? text.add_purpose : text.add_language}
        </Button>
      </div>
    </div>
  )
}
