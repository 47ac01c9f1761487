import { plural } from '../plural.ts'

export type SearchTexts = typeof search

/** The search over everything. */
export const search = {
  open: 'Search',
  title: 'Search',
  label: 'Search for',
  placeholder: 'ID, metadata value, request ID, key, device, template or OpenID client',
  hint: 'At least two characters, of a metadata value all. Use the arrow keys to choose and Enter to open.',
  pages: 'Pages',
  actions: 'Actions',
  page: 'Page',
  shortcuts: {
    title: 'Keyboard',
    search: 'Search from any page',
    choose: 'Choose a result, or a day of a chart',
    open: 'Open it',
    close: 'Close',
  },
  groups: {
    verifications: 'Verifications',
    requests: 'Requests',
    keys: 'API keys',
    devices: 'Devices',
    templates: 'Templates',
    openid_clients: 'OpenID clients',
  },
  results: plural({ one: '{count} result', other: '{count} results' }),
  none: 'Nothing found.',
  searching: 'Searching…',
  revoked: 'Revoked',
  device_statuses: { pending: 'Not paired', active: 'Paired', revoked: 'Revoked' },
  built_in: 'Built in',
}
