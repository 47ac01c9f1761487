/** The keys of the templates that every tenant has. Those for an age are built, each of the others is a file of the service. */
export const builtInTemplateNames = [
  'address',
  'age_over',
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
export type BuiltInTemplateName = (typeof builtInTemplateNames)[number]
