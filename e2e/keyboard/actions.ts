import type { PageName } from '../fixture/pages.ts'

/** The journeys of journeys.test.ts. */
export type Journey =
  | 'create and erase a test verification'
  | 'duplicate a template'
  | 'edit a template as JSON'
  | 'delete a template'
  | 'create, edit, deactivate and delete a link'
  | 'refuse what a holder asks, and erase it'
  | 'register and revoke a device'
  | 'edit a device and pair it again'
  | 'create and revoke a key'
  | 'roll a key'
  | 'send a test event'
  | 'rotate the signing secret'
  | 'add, edit, disable and delete an endpoint'
  | 'resend what failed'
  | 'invite a member and withdraw the invitation'
  | 'change the role of a member and remove them'
  | 'set and remove a certificate'
  | 'add, choose and remove a registration'
  | 'add and remove a trust anchor'
  | 'add and remove a certificate for other wallets'
  | 'set and remove the webhook for alerts'
  | 'allow and end the access of the support'
  | 'change the name'
  | 'add a passkey and remove another'
  | 'sign out everywhere'

/** What Enter does on a control. */
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
const toTemplate = [/^(?:Age over|Club|Name and)/, { leads: /\/templates\/\w/ }] as const
const toRequests = ['API requests', { leads: /\/requests\?verification_id=/ }] as const
const toRegistration = [/^(?:Age|Identity) check/, { leads: /\/registrations\/[\w-]+$/ }] as const
const backToTemplates = ['All templates', { leads: /\/templates$/ }] as const
const sendsTestEvent = [
  'Send test event',
  { dialog: 'Send test event', journey: 'send a test event' },
] as const
const duplicates = { dialog: /^Duplicate “/, journey: 'duplicate a template' } as const
const auditNotice = 'Recorded in the audit log.'
const toReceipt = ['Proof for an inspector', { leads: /\/receipt$/ }] as const
const erases = [
  'Erase…',
  { dialog: 'Erase this verification?', journey: 'create and erase a test verification' },
] as const

/** The navigation of the settings. The link to the open section stays there. */
const toSections = (open: string): Action[] => [
  [open, { shows: open }],
  [
    /^(?:Brand|Results|Holder’s page|Certificates|Trusted issuers|Request log|Sealed results|Alerts|Support)$/,
    { leads: /\/settings\/[\w-]+$/ },
  ],
]

/** Every button and link of every page. One that is missing here, or exists only here, fails keyboard.test.ts. */
export const actions: Record<PageName, readonly Action[]> = {
  overview: [
    ['Alerts', { leads: /\/alerts$/ }],
    [/^Webhook delivery/, { leads: /\/webhooks$/ }],
    [/^\w+day,? /, { leads: /\/verifications\?from=[\d-]+&to=/ }],
    [/^(?:Holder|Credential|Template) /, { leads: /\/verifications\?error_code=/ }],
  ],
  verifications: [
    [
      'New test verification',
      { dialog: 'New test verification', journey: 'create and erase a test verification' },
    ],
    ['Download CSV', { downloads: /verifications.*\.csv$/ }],
    ['Download CSV with claims', { downloads: /claims.*\.csv$/ }],
    toVerification,
    toTemplate,
  ],
  verification: [
    backToVerifications,
    erases,
    ['Copy ID', copiesText],
    toTemplate,
    toRegistration,
    ['Show claims', { shows: auditNotice }],
    ['Copy query', copiesText],
    toReceipt,
    toRequests,
  ],
  'verification-failed': [
    backToVerifications,
    erases,
    ['Copy ID', copiesText],
    toTemplate,
    toRegistration,
    ['Copy query', copiesText],
    toReceipt,
    toRequests,
  ],
  'verification-pending': [
    backToVerifications,
    erases,
    ['Copy wallet link', copiesText],
    ['Copy ID', copiesText],
    toTemplate,
    toRegistration,
    ['Copy query', copiesText],
    toRequests,
  ],
  templates: [
    ['New template', { leads: /\/templates\/new$/ }],
    [/^Duplicate /, duplicates],
    [/^Delete /, { dialog: /^Delete “/, journey: 'delete a template' }],
    [/./, { leads: /\/templates\/\w/ }],
  ],
  'template-new': [
    backToTemplates,
    ['Save template', { shows: 'Enter a key.' }],
    [/^Add a (?:purpose|language)$/, { shows: /^Purpose in / }],
    [/^Remove the purpose in /, { shows: /^Add a / }],
    ['Edit as JSON', { journey: 'edit a template as JSON' }],
    ['Copy query', copiesText],
  ],
  template: [
    backToTemplates,
    ['Duplicate', duplicates],
    ['Save registration', { shows: 'Registration of the template saved.' }],
    ['Copy template', copiesText],
    ['Run test', { shows: 'View verification' }],
    ['View verification', { leads: /\/verifications\/vs_/ }],
  ],
  'template-own': [
    backToTemplates,
    ['Duplicate', duplicates],
    ['Save template', { shows: /^Template saved\./ }],
    ['Run test', { shows: 'View verification' }],
    ['View verification', { leads: /\/verifications\/vs_/ }],
  ],
  registrations: [
    ['Add registration', { dialog: 'Add a registration', journey: 'add, choose and remove a registration' }],
    ['Save settings', { shows: 'Registration settings saved.' }],
    ['Name and birth date', { leads: /\/templates\/identity_basic$/ }],
    [/./, { leads: /\/registrations\/[\w-]+$/ }],
  ],
  registration: [
    ['All registrations', { leads: /\/registrations$/ }],
    ['Check again', { shows: 'Registration checked.' }],
    ['Make default', { dialog: /^Make “/, journey: 'add, choose and remove a registration' }],
    ['Remove…', { dialog: /^Remove “/, journey: 'add, choose and remove a registration' }],
    ['Copy verifier_info', copiesText],
    ['Name and birth date', { leads: /\/templates\/identity_basic$/ }],
  ],
  links: [
    ['Create link', { dialog: 'Create a link', journey: 'create, edit, deactivate and delete a link' }],
    ['Wine tasting', { leads: /\/links\/vl_/ }],
    toTemplate,
  ],
  link: [
    ['All links', { leads: /\/links$/ }],
    ['Edit', { dialog: 'Edit link', journey: 'create, edit, deactivate and delete a link' }],
    ['Deactivate', { journey: 'create, edit, deactivate and delete a link' }],
    ['Delete', { dialog: /^Delete “/, journey: 'create, edit, deactivate and delete a link' }],
    ['Copy address', copiesText],
    toTemplate,
    ['Show its verifications', { leads: /\/verifications\?metadata=/ }],
    ['Download QR code', { downloads: /Wine-tasting\.svg$/ }],
  ],
  erasures: [
    ['Waiting', { shows: 'Answer by' }],
    ['Refused', { leads: /\/erasure-requests\?state=refused$/ }],
    toVerification,
    ['Erase…', { dialog: 'Erase this verification?', journey: 'refuse what a holder asks, and erase it' }],
    ['Refuse…', { dialog: 'Refuse this request?', journey: 'refuse what a holder asks, and erase it' }],
  ],
  devices: [
    ['Register device', { dialog: 'Register a device', journey: 'register and revoke a device' }],
    [/^Edit /, { dialog: /^Edit “/, journey: 'edit a device and pair it again' }],
    [/^New code for /, { dialog: /^New pairing code/, journey: 'edit a device and pair it again' }],
    [/^Revoke /, { dialog: /^Revoke “/, journey: 'register and revoke a device' }],
    toTemplate,
  ],
  keys: [
    ['Create key', { dialog: 'Create a test key', journey: 'create and revoke a key' }],
    [/^Requests with /, { leads: /\/requests\?caller=/ }],
    [/^Roll /, { dialog: /^Roll “/, journey: 'roll a key' }],
    [/^Revoke /, { dialog: /^Revoke “/, journey: 'create and revoke a key' }],
  ],
  webhooks: [
    sendsTestEvent,
    ['Resend failed…', { dialog: 'Resend failed events?', journey: 'resend what failed' }],
    [/^Attempts of vs_/, { shows: 'Attempt 1' }],
    [/^(?:verification\.|vs_|Attempt \d)/, { leads: /\/webhooks\/vs_/ }],
  ],
  'webhooks-endpoints': [
    sendsTestEvent,
    ['Add endpoint', { dialog: 'Add endpoint', journey: 'add, edit, disable and delete an endpoint' }],
    [/^Edit /, { dialog: 'Edit endpoint', journey: 'add, edit, disable and delete an endpoint' }],
    [
      /^New secret for /,
      { dialog: 'Create a new secret?', journey: 'add, edit, disable and delete an endpoint' },
    ],
    [/^Enable /, { shows: 'Endpoint enabled.' }],
    [/^Disable /, { shows: 'Endpoint disabled.' }],
    [/^Delete /, { dialog: 'Delete this endpoint?', journey: 'add, edit, disable and delete an endpoint' }],
  ],
  'webhooks-secret': [
    sendsTestEvent,
    ['Rotate…', { dialog: 'Rotate signing secret?', journey: 'rotate the signing secret' }],
    ['Show secret', { shows: auditNotice }],
    ['Copy secret', copiesText],
  ],
  'webhooks-debugger': [sendsTestEvent, ['Check signature', { shows: /^Paste the header/ }]],
  usage: [['Download CSV', { downloads: /usage.*\.csv$/ }]],
  alerts: [],
  requests: [['Copy request ID', copiesText]],
  audit: [
    ['Download CSV', { downloads: /audit.*\.csv$/ }],
    ['Export', { downloads: /audit.*\.jsonl$/ }],
    ['Check now', { shows: /^Chain intact/ }],
    ['Load older entries', { shows: 'Tenant created' }],
  ],
  team: [
    ['Invite member', { dialog: 'Invite member', journey: 'invite a member and withdraw the invitation' }],
    [/^Change role of /, { dialog: /^Role of /, journey: 'change the role of a member and remove them' }],
    [/^Remove /, { dialog: /^Remove /, journey: 'change the role of a member and remove them' }],
    [
      /^Withdraw /,
      { dialog: 'Withdraw this invitation?', journey: 'invite a member and withdraw the invitation' },
    ],
  ],
  settings: [...toSections('Brand'), ['Save brand', { shows: 'Brand saved.' }]],
  'settings-policies': [...toSections('Results'), ['Save result settings', { shows: 'Settings saved.' }]],
  'settings-holder-page': [
    ...toSections('Holder’s page'),
    ['Copy the address', copiesText],
    ['Save page settings', { shows: 'Page settings saved.' }],
  ],
  'settings-identity': [
    ...toSections('Certificates'),
    ['Use your own…', { dialog: 'Use your own certificate', journey: 'set and remove a certificate' }],
    [
      'Add certificate…',
      {
        dialog: 'Add a certificate for other wallets',
        journey: 'add and remove a certificate for other wallets',
      },
    ],
  ],
  'settings-trust': [
    ...toSections('Trusted issuers'),
    ['Add anchor…', { dialog: 'Add trust anchor in test', journey: 'add and remove a trust anchor' }],
  ],
  'settings-request-log': [
    ...toSections('Request log'),
    ['Save request log', { shows: 'Request log saved.' }],
  ],
  'settings-alerts': [...toSections('Alerts'), ['Save webhook', { shows: /^Enter a URL/ }]],
  'settings-support': [
    ...toSections('Support'),
    ['Allow for 24 hours', { journey: 'allow and end the access of the support' }],
  ],
  account: [
    ['Save name', { journey: 'change the name' }],
    ['Add passkey', { shows: 'Passkey added.' }],
    [/^Remove /, { dialog: /^Remove “/, journey: 'add a passkey and remove another' }],
    ['Sign out everywhere', { dialog: 'Sign out everywhere?', journey: 'sign out everywhere' }],
  ],
  delivery: [
    ['All deliveries', { leads: /\/webhooks$/ }],
    toVerification,
    ['Resend', { shows: /^Event queued/ }],
    ['Show claims', { shows: auditNotice }],
    ['Copy payload', copiesText],
  ],
}
