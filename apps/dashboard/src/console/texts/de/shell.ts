import { plural } from '../../../texts/plural.ts'
import type { ReasonTexts, ShellTexts } from '../en/shell.ts'

export const shell: ShellTexts = {
  app: 'Betreiber',
  home: 'Vidimus Betreiber, Startseite',
  roles: { owner: 'Eigentümer', support: 'Support', billing: 'Abrechnung', auditor: 'Auditor' },
  pages: {
    tenants: 'Mandanten',
    'sign-ups': 'Anmeldungen',
    plans: 'Tarife',
    usage: 'Nutzung',
    health: 'Zustand',
    operators: 'Betreiber',
    tokens: 'API-Tokens',
    log: 'Protokoll',
  },
  sign_ups_wait: plural({ one: '{count} wartet', other: '{count} warten' }),
  attention: plural({
    one: '{count} Punkt braucht Aufmerksamkeit',
    other: '{count} Punkte brauchen Aufmerksamkeit',
  }),
  confirmation:
    'Das hat dauerhafte Folgen, und Ihre letzte Bestätigung ist mehr als zehn Minuten her. Verwenden Sie Ihren Passkey, um fortzufahren.',
  confirmation_at_provider:
    'Das hat dauerhafte Folgen, und in den letzten zehn Minuten haben Sie nicht bestätigt, dass Sie es sind. Melden Sie sich noch einmal beim Identitätsanbieter an. Danach kehren Sie auf diese Seite zurück und wiederholen, was Sie gerade taten.',
  who_by_role: 'Wenden Sie sich an einen Betreiber mit einer dieser Rollen: {roles}.',
}

export const reason: ReasonTexts = {
  label: 'Grund (optional)',
  required: 'Grund',
  hint: 'Für das Protokoll. Mandanten lesen ihn in ihrem eigenen Audit-Protokoll.',
}
