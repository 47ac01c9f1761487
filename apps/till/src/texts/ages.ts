import type { BuiltInTemplateName } from '@vidimus/contract'

/** The built-in templates that ask for an age. What a merchant's own template asks for, its key does not tell. */
const ages: Partial<Record<BuiltInTemplateName, 16 | 18 | 21>> = {
  // A till gives no parameters, so it asks for the default.
  age_over: 18,
  age_over_16: 16,
  age_over_16_strict: 16,
  age_over_18: 18,
  age_over_18_photo: 18,
  age_over_18_strict: 18,
  age_over_21: 21,
  age_over_21_strict: 21,
  'preview.us_mdl_age_21': 21,
}

export function findAge(template: string): 16 | 18 | 21 | undefined {
  // The key was just looked up.
  return Object.hasOwn(ages, template) ? ages[template as BuiltInTemplateName] : undefined
}
