import { useEffect, useRef } from 'react'
import type { TillSettings } from '@vidimus/sdk'
import { findAge } from '../texts/ages.ts'
import { fillIn } from '../texts/fill-in.ts'
import { languages, texts, type Language } from '../texts/languages.ts'
import { nameTemplate } from '../texts/name-template.ts'
import { Icon } from './icon.tsx'
import { Logo } from './logo.tsx'
import { useTexts } from './texts-context.ts'

export type CustomerSideProps = {
  settings: TillSettings | undefined
  template: string
  purpose: string | undefined
  /** What the customer does now. */
  next: 'scan' | 'agree' | 'try_again'
  language: Language
  offered: readonly Language[]
  onLanguage: (language: Language) => void
}

const icons = { scan: 'phone', agree: 'wallet', try_again: 'again' } as const

/** Who asks for what, and what to do now, in the customer's own language. */
export function CustomerSide(props: CustomerSideProps) {
  const { settings, template, purpose, next, language, offered, onLanguage } = props
  const text = texts(language)
  const staff = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const age = findAge(template)
  const names = { age: String(age), template: nameTemplate(template, text.templates) }
  return (
    <section className="customer" lang={language}>
      {settings !== undefined && (
        <p className="by">
          <Logo merchant={settings.merchant} />
          {settings.merchant.name}
        </p>
      )}
      <h1 ref={heading} tabIndex={-1}>
        {fillIn(age === undefined ? text.asking.other : text.asking.age, names)}
      </h1>
      {purpose !== undefined && (
        <p className="why">
          <bdi>{purpose}</bdi>
        </p>
      )}
      <p className="do" role="status">
        <Icon name={icons[next]} />
        {text.asking[next]}
      </p>
      <div className="langs" role="group" aria-label={staff.language}>
        {offered.map((code) => (
          <button
            key={code}
            type="button"
            lang={code}
            aria-pressed={code === language}
            onClick={() => onLanguage(code)}
          >
            {languages[code]}
          </button>
        ))}
      </div>
    </section>
  )
}
