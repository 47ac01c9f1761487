export type PasskeysTexts = typeof passkeys

export const passkeys = {
  title: 'Passkeys',
  description: 'Add one for each device you use. With two, you can still sign in if you lose one.',
  caption: 'Your passkeys',
  add: 'Add passkey',
  added: 'Passkey added.',
  stored: 'Stored',
  synced: 'Synced by its provider',
  on_one_device: 'On one device',
  added_on: 'Added',
  last_used: 'Last used',
  this_device: 'This device',
  remove: 'Remove',
  remove_label: 'Remove {name}',
  remove_title: 'Remove “{name}”?',
  remove_description:
    'You can no longer sign in with it. Sessions it started stay open; sign out everywhere to end them.',
  remove_submit: 'Remove passkey',
  removed: 'Passkey removed.',
}
