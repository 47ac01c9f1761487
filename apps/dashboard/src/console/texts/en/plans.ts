export type PlansTexts = typeof plans

export const plans = {
  title: 'Plans',
  description: 'What tenants may use. A change applies to the next request of every tenant with the plan.',
  caption: 'Plans, that of new tenants first',
  by_default: 'New tenants',
  create: 'New plan',
  save: 'Save plan',
  saved: 'Plan {name} saved.',
  name: 'Name',
  name_hint:
    '1–32 lower-case letters, digits, hyphens and underscores, a letter first. It cannot be changed.',
  name_invalid: 'This is not a possible name.',
  value_invalid: 'Enter a whole number.',
  make_default: 'The plan of new tenants',
  make_default_hint: 'Tenants that exist keep theirs.',
  values: {
    daily_quota: 'Daily quota',
    devices: 'Devices',
    registrations_a_day: 'New devices a day',
    members: 'Members',
    invitations: 'Invitations',
    keys: 'API keys',
    templates: 'Templates',
  },
  edit: {
    button: 'Change',
    label: 'Change {name}',
    title: 'Change {name}',
    description: 'Tenants with this plan have the new values from their next request on.',
  },
  remove: {
    button: 'Remove',
    label: 'Remove {name}',
    title: 'Remove {name}?',
    description: 'A plan that tenants have cannot be removed.',
    submit: 'Remove plan',
    done: 'Plan {name} removed.',
  },
}
