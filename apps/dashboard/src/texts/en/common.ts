import type { Environment } from '@vidimus/contract'
import type { Role } from '@vidimus/contract/roles'

export type CommonTexts = typeof common

/** Words that several areas use. */
export const common = {
  environments: { test: 'Test', live: 'Live' } satisfies Record<Environment, string>,
  roles: {
    owner: 'Owner',
    admin: 'Admin',
    developer: 'Developer',
    support: 'Support',
    auditor: 'Auditor',
  } satisfies Record<Role, string>,
  all: 'All',
  never: 'Never',
  none: 'None',
  name: 'Name',
  status: 'Status',
  template: 'Template',
  created: 'Created',
  save: 'Save',
  done: 'Done',
}
