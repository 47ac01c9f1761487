import { fillIn } from './fill-in.ts'
import { texts, type Language } from './languages.ts'

/** How long a merchant keeps the claims: for days, or until they were delivered (RET-1, RET-3). */
export type Retention = { days: number } | 'on_delivery'

/** Describes in words how long the claims are kept. */
export function describeRetention(retention: Retention, merchant: string, lang: Language): string {
  const { days: forms, request } = texts(lang)
  if (retention === 'on_delivery') return fillIn(request.kept_until_received, { merchant })
  const { days } = retention
  const form = forms[new Intl.PluralRules(lang).select(days)] ?? forms.other
  return fillIn(request.kept_for, { duration: fillIn(form, { days }) })
}
