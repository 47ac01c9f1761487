import type { Environment } from '@vidimus/contract'

export type DevicesTexts = typeof devices

export const devices = {
  title: 'Devices',
  description:
    'Tills and tablets that check people on site. Each has its own tokens and can use only the templates you allow.',
  captions: {
    test: 'Devices in the test environment',
    live: 'Devices in the live environment',
  } satisfies Record<Environment, string>,
  register: 'Register device',
  load_older: 'Load older devices',
  templates: 'Templates',
  last_seen: 'Last seen',
  open_till: 'Open till',
  open_simulated_till: 'Open a simulated till',
  empty: {
    title: 'No devices yet',
    how: 'Register a device here, then open the till on it and scan or type the pairing code. Staff need no account.',
    lost: 'If a device is lost, revoke it: all its tokens stop working at once.',
  },
  statuses: {
    paired: 'Paired',
    revoked: 'Revoked',
    reused: 'Token reuse detected',
    code_expired: 'Code expired',
    renew: 'Create a new code',
    waiting: 'Waiting for pairing',
    until: 'Until {at}',
  },
  form: {
    title: 'Register a device',
    submit: 'Register and show code',
    name_hint: 'Where it is, such as “Bar, left till”. Shown as the actor in the audit log.',
    name_missing: 'Enter a name.',
    templates: 'Allowed templates',
    templates_hint: 'Staff see one button per template. Up to {max}.',
    template_missing: 'Select at least one template.',
    lifetime: 'Pairing code valid for',
    lifetimes: { minutes: '15 minutes', hour: '1 hour', day: '1 day' },
  },
  pair: {
    title: 'Pair {name}',
    description:
      'Open the till on the device, then scan the QR code or type the code. It is shown only once.',
    paired_title: '{name} is paired',
    paired_description: 'The device is ready to use.',
    paired: 'Paired',
    expired: 'The code has expired. Create a new one.',
    qr_code: 'QR code with the pairing code',
    copy: 'Copy pairing code',
    expires_in: 'Expires in {countdown}',
  },
  revoke: {
    button: 'Revoke',
    label: 'Revoke {name}',
    title: 'Revoke “{name}”?',
    pending: 'Its pairing code stops working. The device was never paired.',
    active:
      'All its tokens stop working at once and it returns to its pairing screen. It will not see the results of checks in progress. To use it again, register it again.',
    submit: 'Revoke device',
    done: '“{name}” revoked.',
  },
}
