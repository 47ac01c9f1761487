export type AccountTexts = typeof account

export const account = {
  title: 'Your account',
  operator: 'Operator',
  name: {
    title: 'Name',
    description: 'Shown to your team and in the audit log.',
    missing: 'Enter a name.',
    save: 'Save name',
    saved: 'Name saved.',
  },
  sessions: {
    title: 'Sessions',
    description: 'Where you are signed in.',
    caption: 'Your sessions',
    browser: 'Browser',
    signed_in: 'Signed in',
    this_session: 'This session',
    method: 'Method',
    unknown: 'Unknown',
    methods: { passkey: 'Passkey', oidc: 'Identity provider', link: 'Sign-in link' },
    last_seen: 'Last seen',
    expires: 'This session expires by {at}.',
    end: 'End',
    end_label: 'End the session in {browser}',
    end_title: 'End this session?',
    end_description:
      'That browser is signed out at once. If you do not recognise it, also remove passkeys that you do not know.',
    end_submit: 'End session',
    ended: 'Session ended.',
    sign_out: 'Sign out everywhere',
    sign_out_title: 'Sign out everywhere?',
    sign_out_description: 'Ends all your sessions on every device, including this one.',
  },
  links: {
    title: 'Sign-in links created for you',
    description:
      'If you did not ask for a link, or someone else used it, remove any passkeys you do not recognise and tell an owner.',
    created_by: 'Created by',
    used: 'Used',
    not_used: 'Not used',
  },
}
