import { fillIn } from './fill-in.ts'
import type { Language } from './language-codes.ts'
import { texts } from './languages.ts'

/** How long Vidimus keeps the claims: for days, or until they were delivered (RET-1, RET-3). */
export type Retention = { days: number } | 'on_delivery'

/** `kept_days`: how long it keeps what it got, as far as it has said so. */
type KeepingMerchant = { name: string; kept_days?: number | undefined }

/** Describes in words how long the claims are kept. Vidimus answers only for itself: nobody enforces what a merchant does with its copy. */
export function describeRetention(
  retention: Retention,
  { name, kept_days }: KeepingMerchant,
  lang: Language,
): string {
  const { days: forms, request } = texts(lang)
  const describeDays = (days: number) =>
    fillIn(forms[new Intl.PluralRules(lang).select(days)] ?? forms.other, { days })
  const deleted =
    retention === 'on_delivery'
      ? fillIn(request.deleted_when_received, { merchant: name })
      : fillIn(request.deleted_after, { duration: describeDays(retention.days) })
  return kept_days === undefined
    ? `${deleted} ${fillIn(request.kept_as_notice_says, { merchant: name })}`
    : `${fillIn(request.kept_by_merchant, { merchant: name, duration: describeDays(kept_days) })} ${deleted}`
}
