import type { Environment, LinkState } from '@vidimus/contract'

export type LinksTexts = typeof links

export const links = {
  title: 'Links',
  descriptions: {
    test: 'Addresses that people open to be verified with test documents, without a line of code: in a mail, on a poster, on your website.',
    live: 'Addresses that people open to be verified, without a line of code: in a mail, on a poster, on your website.',
  } satisfies Record<Environment, string>,
  caption: 'Verification links',
  create: 'Create link',
  link: 'Link',
  kind: 'Kind',
  kinds: { reusable: 'For many', single_use: 'For one person' },
  state: 'State',
  states: { active: 'Active', inactive: 'Inactive', expired: 'Expired', used: 'Used' } satisfies Record<
    LinkState,
    string
  >,
  today: 'Today',
  today_of: '{created} of {limit}',
  more: 'Load more',
  empty: {
    title: 'No links yet',
    what: 'A link asks with one of your templates. Whoever opens it is verified with their wallet, and you see the result here.',
  },
  form: {
    title: 'Create a link',
    edit_title: 'Edit link',
    save: 'Save',
    saved: 'Link saved.',
    name_hint: 'For your team. Visitors do not see it.',
    name_missing: 'Enter a name.',
    template_hint: 'What the link asks for.',
    kind_hints: {
      reusable: 'Each visit is a verification of its own. It proves that somebody passed, not who.',
      single_use: 'Ends with the first verification that completes. Send it to one person.',
    },
    purpose: 'Purpose',
    purpose_hint: 'Optional. People see it before they answer.',
    daily_limit: 'Verifications a day',
    daily_limit_hint: 'Anybody with the link can use up your quota, up to this limit.',
    daily_limit_wrong: 'Enter a number from 1 to 100000.',
    expires: 'Valid until',
    expires_hint: 'Optional.',
    redirect: 'Return address',
    redirect_hint: 'Optional. Where people go afterwards.',
    mail: 'Mail when somebody has responded',
    mail_hint: 'To members who want such mails, without claims. Each member chooses on the account page.',
  },
  detail: {
    back: 'All links',
    address: 'Address',
    copy: 'Copy address',
    ref_hint:
      'Add ?ref=poster to tell apart where it was opened. Anybody can change that part, so it proves nothing.',
    qr_code: 'QR code of the link',
    download: 'Download QR code',
    download_hint: 'A vector graphic for print.',
    settings: 'Settings',
    used: 'Used',
    results: 'Show its verifications',
    deactivate: 'Deactivate',
    activate: 'Activate',
    deactivated: 'Link deactivated.',
    activated: 'Link activated.',
    edit: 'Edit',
    never: 'Never',
    mails: { yes: 'Mailed to members', no: 'Not mailed' },
  },
  remove: {
    button: 'Delete',
    title: 'Delete “{name}”?',
    description: 'The address stops working for good. Its verifications stay.',
    submit: 'Delete link',
    done: '“{name}” deleted.',
  },
}
