import type { AlertDetails, AlertKind } from '@vidimus/contract'
import type { AlertEvent } from '../../../audit/index.ts'
import type { MailLanguage, NotificationTexts } from './alert-texts.ts'
import { de } from './de.ts'
import { en } from './en.ts'

const languages: Record<MailLanguage, NotificationTexts> = { en, de }

/** The texts of a member's language; English if it is unknown. */
export function textsOf(language: string | null): { language: MailLanguage; texts: NotificationTexts } {
  const known = language === 'de' ? 'de' : 'en'
  return { language: known, texts: languages[known] }
}

export function describeAlert(
  texts: NotificationTexts,
  { kind, details, raised_at }: Pick<AlertEvent, 'kind' | 'details' | 'raised_at'>,
): { title: string; body: string } {
  // Typed when the alert was raised, and stored unchanged.
  const describe = texts.alerts[kind] as (
    details: AlertDetails[AlertKind],
    raised_at: string,
  ) => { title: string; body: string }
  return describe(details as AlertDetails[AlertKind], raised_at)
}
