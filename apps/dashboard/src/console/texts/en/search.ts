export type SearchTexts = typeof search

export const search = {
  open: 'Find by id',
  title: 'Find',
  label: 'Name or id',
  placeholder: 'A tenant’s name or id, or a verification’s id',
  hint: 'At least two characters, of an id all. Use the arrow keys to choose and Enter to open.',
  verification: 'Verification',
  page: {
    title: 'Verification',
    description: 'Whose it is, and what logs and traces call it. Never what a holder disclosed.',
    not_found: 'There is no verification with this id.',
    tenant: 'Tenant',
    environment: 'Environment',
    status: 'Status',
    created: 'Created',
    expires: 'Expires',
    responded: 'Responded',
    hash: 'In logs and traces',
    hash_hint: 'A keyed hash of the id. Search your log and your traces for it.',
    copy_hash: 'Copy hash',
  },
}
