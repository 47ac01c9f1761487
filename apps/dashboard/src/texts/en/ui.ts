export type UiTexts = typeof ui

/** The building blocks of every page. */
export const ui = {
  actions: 'Actions',
  cancel: 'Cancel',
  close: 'Close',
  copied: 'Copied',
  copy: 'Copy',
  copy_request_id: 'Copy request ID',
  dismiss: 'Dismiss',
  just_now: 'just now',
  loading: 'Loading',
  never: 'Never',
  not_for_role: {
    title: 'Not for your role',
    text: 'Your role, {role}, does not include this.',
    who: 'Ask {people}.',
    who_by_role: 'Ask a member with one of these roles: {roles}.',
    person: '{name} ({role})',
  },
  not_loaded: 'Could not load this. {reason}',
  request_id: 'request ID {id}',
  secret: {
    not_copied: 'Close without copying? It is not shown again.',
    back: 'Go back',
    close: 'Close anyway',
  },
  try_again: 'Try again',
  under_a_minute: 'in under a minute',
}
