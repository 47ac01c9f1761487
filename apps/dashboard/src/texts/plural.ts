import type { PluralForms } from '@vidimus/holder-texts'

/** The forms of a text with a `{count}`, by plural category. Other languages may have other categories than English. */
export function plural(forms: PluralForms): PluralForms {
  return forms
}
