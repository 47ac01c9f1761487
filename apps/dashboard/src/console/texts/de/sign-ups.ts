import type { SignUpsTexts } from '../en/sign-ups.ts'

export const signUps: SignUpsTexts = {
  title: 'Anmeldungen',
  description: 'Konten, die Leute selbst eröffnet haben und über die noch zu entscheiden ist.',
  modes: {
    off: 'Zurzeit kann sich niemand anmelden. Frühere Konten warten hier auf eine Entscheidung.',
    waitlist:
      'Man kann sich auf die Warteliste setzen. Bis Sie zustimmen, lässt sich mit dem Konto nichts tun.',
    open: 'Man kann sich anmelden und sofort testen. Live-Überprüfungen warten auf Ihre Zustimmung.',
  },
  caption: 'Anmeldungen, älteste zuerst',
  tenant: 'Mandant',
  email: 'Eigentümer',
  approval: 'Zustand',
  approvals: {
    approved: 'Zugestimmt',
    pending: 'Testet, wartet auf Live',
    waiting: 'Auf der Warteliste',
    refused: 'Abgelehnt',
  },
  signed_up: 'Angemeldet',
  load_more: 'Weitere Anmeldungen laden',
  empty_title: 'Niemand wartet',
  empty_text: 'Wer sich anmeldet, steht hier, bis Sie entscheiden.',
  approve: {
    button: 'Zustimmen',
    label: '{name} zustimmen',
    title: '{name} zustimmen?',
    description: 'Der Mandant darf wie jeder andere Live-Überprüfungen erstellen.',
    submit: 'Mandanten zustimmen',
    done: '{name} wurde zugestimmt.',
  },
  refuse: {
    button: 'Ablehnen',
    label: '{name} ablehnen',
    title: '{name} ablehnen?',
    closes: 'Sein Konto auf der Warteliste wird geschlossen.',
    keeps_testing: 'Der Mandant kann weiter testen, erstellt aber keine Live-Überprüfungen.',
    reason: 'Grund',
    reason_hint: 'Der Mandant liest ihn.',
    reason_missing: 'Geben Sie einen Grund ein.',
    submit: 'Mandanten ablehnen',
    done: '{name} wurde abgelehnt.',
  },
}
