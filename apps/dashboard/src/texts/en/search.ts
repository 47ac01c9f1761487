export type SearchTexts = typeof search

/** The search over everything. */
export const search = {
  open: 'Search',
  title: 'Search',
  label: 'Search for',
  placeholder: 'ID, metadata value, request ID, key, device, template or OpenID client',
  hint: 'At least two characters, of a metadata value all. Use the arrow keys to choose and Enter to open.',
  actions: 'Actions',
  groups: {
    verifications: 'Verifications',
    requests: 'Requests',
    keys: 'API keys',
    devices: 'Devices',
    templates: 'Templates',
    openid_clients: 'OpenID clients',
  },
  revoked: 'Revoked',
  device_statuses: { pending: 'Not paired', active: 'Paired', revoked: 'Revoked' },
  built_in: 'Built in',
}
