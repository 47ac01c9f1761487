import type { PageName } from '../fixture/pages.ts'

/** What keyboard-journeys.test.ts does to the end. */
export type Journey =
  | 'a test verification is made and erased'
  | 'a template is duplicated'
  | 'a template is written as text'
  | 'a device is registered and revoked'
  | 'a key is made and revoked'
  | 'a test event is sent'
  | 'the signing secret is rotated'
  | 'somebody is invited, and the invitation withdrawn'
  | 'a member is given another role and removed'
  | 'a certificate is put in, and taken out again'
  | 'the verifier information is changed'
  | 'an anchor is trusted, and removed again'
  | 'a name is changed'
  | 'a passkey is added and another removed'
  | 'every session is ended'

/** What Enter on it does. */
export type ActionEffect =
  | { dialog: string | RegExp; journey: Journey }
  | { leads: RegExp }
  | { shows: string | RegExp }
  | { downloads: RegExp }
  | { journey: Journey }

export type Action = readonly [name: string | RegExp, outcome: ActionEffect]

const copiesText = { shows: 'Copied' } as const
const toVerification = [/^vs_/, { leads: /\/verifications\/vs_/ }] as const
const backToVerifications = ['All verifications', { leads: /\/verifications$/ }] as const
const backToTemplates = ['All templates', { leads: /\/templates$/ }] as const
const sendsTestEvent = [
  'Send test event',
  { dialog: 'Send a test event', journey: 'a test event is sent' },
] as const
const duplicates = { dialog: /^Duplicate “/, journey: 'a template is duplicated' } as const
const auditNotice = 'That you looked is in the audit log.'
const erases = [
  'Erase…',
  { dialog: 'Erase this verification?', journey: 'a test verification is made and erased' },
] as const

/** Every button and link of every page. One that is missing here, or here only, fails the test that walks the pages. */
export const actions: Record<PageName, readonly Action[]> = {
  overview: [[/^(?:The|It|Nobody|Whether) /, { leads: /\/verifications\?error_code=/ }]],
  verifications: [
    [
      'New test verification',
      { dialog: 'New test verification', journey: 'a test verification is made and erased' },
    ],
    toVerification,
  ],
  verification: [
    backToVerifications,
    erases,
    ['Copy id', copiesText],
    ['Show claims', { shows: auditNotice }],
    ['Copy query', copiesText],
  ],
  'verification-failed': [backToVerifications, erases, ['Copy id', copiesText], ['Copy query', copiesText]],
  'verification-pending': [
    backToVerifications,
    erases,
    ['Copy wallet link', copiesText],
    ['Copy id', copiesText],
    ['Copy query', copiesText],
  ],
  templates: [
    ['New template', { leads: /\/templates\/new$/ }],
    [/^Duplicate /, duplicates],
    [/./, { leads: /\/templates\/\w/ }],
  ],
  'template-new': [
    backToTemplates,
    ['Save template', { shows: 'Enter a key.' }],
    ['Edit as text', { journey: 'a template is written as text' }],
    ['Copy query', copiesText],
  ],
  template: [
    backToTemplates,
    ['Duplicate', duplicates],
    ['Copy template', copiesText],
    ['Try it', { shows: 'See the verification' }],
    ['See the verification', { leads: /\/verifications\/vs_/ }],
  ],
  'template-own': [
    backToTemplates,
    ['Duplicate', duplicates],
    ['Save template', { shows: /^Saved\./ }],
    ['Try it', { shows: 'See the verification' }],
    ['See the verification', { leads: /\/verifications\/vs_/ }],
  ],
  devices: [
    ['Register device', { dialog: 'Register a device', journey: 'a device is registered and revoked' }],
    [/^Revoke /, { dialog: /^Revoke “/, journey: 'a device is registered and revoked' }],
  ],
  keys: [
    ['Create key', { dialog: 'Create a test key', journey: 'a key is made and revoked' }],
    [/^Revoke /, { dialog: /^Revoke “/, journey: 'a key is made and revoked' }],
  ],
  webhooks: [sendsTestEvent, [/^vs_/, { leads: /\/webhooks\/vs_/ }]],
  'webhooks-secret': [
    sendsTestEvent,
    ['Rotate…', { dialog: 'Rotate the signing secret?', journey: 'the signing secret is rotated' }],
    ['Show secret', { shows: auditNotice }],
    ['Copy secret', copiesText],
  ],
  'webhooks-debugger': [sendsTestEvent, ['Check signature', { shows: /^Paste the header/ }]],
  usage: [['CSV', { downloads: /usage.*\.csv$/ }]],
  audit: [
    ['Export', { downloads: /audit.*\.jsonl$/ }],
    ['Check now', { shows: /^The chain is whole/ }],
  ],
  team: [
    ['Invite', { dialog: 'Invite somebody', journey: 'somebody is invited, and the invitation withdrawn' }],
    [/^Change the role of /, { dialog: /^Role of /, journey: 'a member is given another role and removed' }],
    [/^Remove /, { dialog: /^Remove /, journey: 'a member is given another role and removed' }],
    [
      /^Withdraw /,
      { dialog: 'Withdraw this invitation?', journey: 'somebody is invited, and the invitation withdrawn' },
    ],
  ],
  settings: [
    ['Save brand', { shows: 'The brand is saved.' }],
    ['Save results and trust', { shows: 'The settings are saved.' }],
    [
      'Use your own…',
      { dialog: 'Use your own certificate', journey: 'a certificate is put in, and taken out again' },
    ],
    ['Change…', { dialog: 'Verifier information', journey: 'the verifier information is changed' }],
    [
      'Add anchor…',
      { dialog: 'Trust an authority in test', journey: 'an anchor is trusted, and removed again' },
    ],
  ],
  account: [
    ['Save name', { journey: 'a name is changed' }],
    ['Add passkey', { shows: 'The passkey is added.' }],
    [/^Remove /, { dialog: /^Remove “/, journey: 'a passkey is added and another removed' }],
    ['Sign out everywhere', { dialog: 'Sign out everywhere?', journey: 'every session is ended' }],
  ],
  delivery: [
    ['All deliveries', { leads: /\/webhooks$/ }],
    ['Resend', { shows: /^It is sent again now/ }],
    ['Show claims', { shows: auditNotice }],
    ['Copy payload', copiesText],
  ],
}
