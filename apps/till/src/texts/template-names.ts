/** The service's built-in templates. A test compares them with the service's files. */
export const builtInTemplates = [
  'address',
  'age_over_16',
  'age_over_16_strict',
  'age_over_18',
  'age_over_18_photo',
  'age_over_18_strict',
  'age_over_21',
  'age_over_21_strict',
  'driving_licence',
  'identity_basic',
  'pid_full',
  'preview.ehic',
  'preview.iban',
  'preview.learning_credential',
  'preview.residence',
  'preview.student',
  'preview.us_mdl_age_21',
  'preview.us_mdl_real_id',
] as const

export type BuiltInTemplate = (typeof builtInTemplates)[number]

/** A label for a button. The API gives a device only the keys, so a merchant's own `club_entry` becomes "Club entry". */
export function nameTemplate(key: string, names: Record<BuiltInTemplate, string>): string {
  // The key was just looked up.
  if (Object.hasOwn(names, key)) return names[key as BuiltInTemplate]
  const words = key.replaceAll(/[_.-]+/g, ' ').trim()
  return words === '' ? key : words.charAt(0).toUpperCase() + words.slice(1)
}
