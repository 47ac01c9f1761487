export type EditingTexts = typeof editing

/** Changing keys, devices and templates that exist. */
export const editing = {
  roll_key: {
    button: 'Roll',
    label: 'Roll {name}',
    title: 'Roll “{name}”',
    description:
      'Creates a new key with the same name and scopes. Change your systems to it before the old one ends.',
    overlap: 'The old key works',
    overlaps: {
      0: 'No longer',
      3600: 'For 1 hour',
      86400: 'For 24 hours',
      604800: 'For 7 days',
    },
    overlap_now_hint: 'If it has leaked. Requests with it fail at once.',
    submit: 'Roll key',
  },
  key: {
    by: 'by {name}',
    former_member: 'a former member',
    replaced: 'Replaced',
    requests: 'Requests',
    requests_label: 'Requests with {name}',
  },
  device: {
    edit: 'Edit',
    edit_label: 'Edit {name}',
    title: 'Edit “{name}”',
    submit: 'Save device',
    saved: '“{name}” saved.',
    pin: 'PIN of the till (optional)',
    pin_hint:
      '4 to 8 digits. Staff need it to end a shift and to open the till’s settings. It is never shown.',
    new_pin: 'New PIN',
    new_pin_hint: '4 to 8 digits. Leave empty to keep the PIN that is set; it is never shown.',
    pin_invalid: 'Enter 4 to 8 digits.',
    remove_pin: 'Remove the PIN',
    purpose: 'Why the till asks (optional)',
    purpose_hint: 'Customers read it on the till and in their wallet, such as “Age check for alcohol”.',
    keep_awake: 'Screen stays on between customers',
    keep_awake_hint: 'For a device that is plugged in.',
    new_code: 'New code',
    new_code_label: 'New code for {name}',
    new_code_title: 'New pairing code for “{name}”?',
    new_code_paired:
      'Its tokens stop working at once and the till on it ends. Pair it again with the new code, or pair another device instead.',
    new_code_pending: 'The previous code stops working.',
    new_code_submit: 'Create code',
  },
  template: {
    delete: 'Delete',
    label: 'Delete {name}',
    title: 'Delete “{name}”?',
    description:
      'New verifications can no longer use {key}. Verifications that were created with it are answered as before. This cannot be undone.',
    submit: 'Delete template',
    deleted: '“{name}” deleted.',
    advice:
      'Ask only for what you need. To check an age, ask whether someone is over 18, not for the date of birth: holders refuse more often the more you ask for, and you must protect what you receive.',
    advice_birth_date:
      'You ask for the date of birth. If you only need to know an age, ask for “over 18” instead.',
  },
}
