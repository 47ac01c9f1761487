import type { SignedUp, SignUpList } from '@vidimus/contract'

export type SignUpsTexts = typeof signUps

export const signUps = {
  title: 'Sign-ups',
  description: 'Accounts that people opened by themselves and that wait for a decision.',
  modes: {
    off: 'Nobody can sign up now. Accounts from before wait here for a decision.',
    waitlist: 'People can put themselves on the waiting list. They can do nothing until you approve them.',
    open: 'People can sign up and test at once. Live verifications wait for your approval.',
  } satisfies Record<SignUpList['mode'], string>,
  caption: 'Sign-ups, oldest first',
  tenant: 'Tenant',
  email: 'Owner',
  approval: 'State',
  approvals: {
    approved: 'Approved',
    pending: 'Tests, waits for live',
    waiting: 'On the waiting list',
    refused: 'Refused',
  } satisfies Record<SignedUp['approval'], string>,
  signed_up: 'Signed up',
  load_more: 'Load more sign-ups',
  empty_title: 'Nobody waits',
  empty_text: 'Who signs up appears here until you decide.',
  approve: {
    button: 'Approve',
    label: 'Approve {name}',
    title: 'Approve {name}?',
    description: 'It may create live verifications, like any other tenant.',
    submit: 'Approve tenant',
    done: '{name} is approved.',
  },
  refuse: {
    button: 'Refuse',
    label: 'Refuse {name}',
    title: 'Refuse {name}?',
    closes: 'Its account on the waiting list is closed.',
    keeps_testing: 'It can go on testing, but creates no live verifications.',
    reason: 'Reason',
    reason_hint: 'The tenant reads it.',
    reason_missing: 'Enter a reason.',
    submit: 'Refuse tenant',
    done: '{name} is refused.',
  },
}
