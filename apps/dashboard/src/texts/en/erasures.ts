import type { Environment } from '@vidimus/contract'

export type ErasuresTexts = typeof erasures

export const erasures = {
  title: 'Erasure requests',
  descriptions: {
    test: 'Holders of test verifications who ask you to erase them.',
    live: 'Holders of verifications who ask you to erase them. You have a month to answer each one.',
  } satisfies Record<Environment, string>,
  caption: 'Erasure requests, what is due first comes first',
  view: 'Requests',
  views: { waiting: 'Waiting', refused: 'Refused' },
  verification: 'Verification',
  requested: 'Requested',
  due: 'Answer by',
  overdue: 'Overdue',
  refused: 'Refused',
  more: 'Load more',
  empty: {
    title: 'No requests',
    waiting: 'Holders can ask with the code on their card once you allow it: Settings, Holder’s page.',
    refused: 'You have refused no request.',
  },
  erase: {
    button: 'Erase…',
    title: 'Erase this verification?',
    description:
      'It is deleted for good, with everything derived from it. Endpoints that ask for it get “Erasure done”. Also erase your own copies.',
    submit: 'Erase permanently',
    done: 'Verification erased.',
  },
  refuse: {
    button: 'Refuse…',
    title: 'Refuse this request?',
    description:
      'The verification stays. You need a reason in law, such as a duty to keep it. The holder cannot see this here: if you can reach the person, say why.',
    submit: 'Refuse',
    done: 'Request refused.',
  },
}
