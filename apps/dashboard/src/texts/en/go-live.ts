import type { GoLive } from '@vidimus/contract'
import { plural } from '../plural.ts'

export type GoLiveTexts = typeof goLive

type Line = { title: string; next: string }

export const goLive = {
  title: 'Go live',
  fails: 'Every live verification would fail.',
  works: 'Live verifications can succeed. What is left is recommended.',
  done: ', done',
  required: 'Required',
  recommended: 'Recommended',
  certificate_ok: 'Access certificate, valid until {day}',
  certificate: {
    self_made: {
      title: 'The access certificate was made by the service itself',
      next: 'Wallets refuse it. Upload the certificate that your registrar issued.',
    },
    expires_soon: {
      title: 'The access certificate expires on {day}',
      next: 'Renewing takes weeks. Request the next one now and upload it.',
    },
    expired: {
      title: 'The access certificate expired on {day}',
      next: 'Wallets refuse it. Upload a valid one.',
    },
  } satisfies Record<Exclude<GoLive['certificate'], 'ok'>, Line>,
  trust: {
    ok: plural({ one: '{count} trusted issuer', other: '{count} trusted issuers' }),
    missing: {
      title: 'No trusted issuers',
      next: 'Every answer fails with “Issuer not trusted”. Add the certificates of the issuers you accept, or ask your operator for a trust list.',
    },
  },
  key: {
    ok: 'A live API key',
    missing: { title: 'No live API key works', next: 'Your server needs one to create live verifications.' },
  },
  registration: {
    ok: 'Registration',
    missing: {
      title: 'No registration',
      next: 'Some wallets warn or refuse without one. Add the registration certificate of your registrar.',
    },
  },
  webhook: {
    ok: 'A webhook for live results',
    missing: {
      title: 'No webhook for live results',
      next: 'Add an endpoint. Without one your server must poll for results.',
    },
  },
}
