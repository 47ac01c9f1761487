import { plural } from '../../../texts/plural.ts'
import type { OperatorsTexts, TokensTexts } from '../en/operators.ts'

export const operators: OperatorsTexts = {
  title: 'Betreiber',
  description: 'Wer sich an dieser Konsole anmelden darf, und was jede Rolle darf.',
  caption: 'Betreiber',
  operator: 'Betreiber',
  you: 'Sie',
  removed: 'Entfernt',
  role: 'Rolle',
  signs_in_with: 'Meldet sich an mit',
  nothing: 'Nicht eingerichtet',
  passkeys: plural({ one: '{count} Passkey', other: '{count} Passkeys' }),
  identity_provider: 'Identitätsanbieter',
  invited_until: 'Link funktioniert bis {at}',
  last_seen: 'Zuletzt gesehen',
  roles_title: 'Rollen',
  role_descriptions: {
    owner: 'Alles: Mandanten, Tarife, Betreiber, das Protokoll.',
    support: 'Liest Mandanten, Tarife und Zustand und findet Überprüfungen nach ID. Ändert nichts.',
    billing: 'Liest Mandanten und Nutzung und ändert Tarife und Kontingente.',
    auditor: 'Liest Nutzung, Zustand und Protokoll. Sieht keine Einzelheiten eines Mandanten.',
  },
  add: {
    title: 'Betreiber hinzufügen',
    submit: 'Anmeldelink erstellen',
    name: 'Name',
    name_hint: 'Steht hier und im Protokoll.',
    name_missing: 'Geben Sie einen Namen ein.',
    email: 'E-Mail-Adresse',
    email_invalid: 'Geben Sie eine E-Mail-Adresse ein.',
  },
  link: {
    title: 'Anmeldelink',
    created: 'Anmeldelink erstellt.',
    description:
      'Senden Sie diesen Link an {email}, Rolle {role}. Er funktioniert einmal und 24 Stunden lang und wird nicht noch einmal angezeigt.',
    copy: 'Link kopieren',
    copied: 'Ich habe ihn kopiert',
  },
  change_role: {
    button: 'Rolle',
    label: 'Rolle von {name}',
    title: 'Rolle von {name}',
    submit: 'Rolle ändern',
    done: '{name} hat eine andere Rolle.',
  },
  invite: {
    button: 'Link',
    label: 'Link für {name}',
    title: 'Neuer Anmeldelink für {name}?',
    description:
      'Damit fügt die Person einen Passkey hinzu. Ein früherer, nicht verwendeter Link funktioniert dann nicht mehr.',
  },
  remove: {
    button: 'Entfernen',
    label: '{name} entfernen',
    title: '{name} entfernen?',
    description: 'Sitzungen und Tokens der Person enden sofort. Das Protokoll behält ihren Namen.',
    submit: 'Betreiber entfernen',
    done: '{name} wurde entfernt.',
  },
}

export const tokens: TokensTexts = {
  title: 'API-Tokens',
  description:
    'Programme rufen die API für Betreiber mit einem Token auf. Es liest; was dauerhafte Folgen hat, braucht eine Person mit Passkey.',
  caption: 'API-Tokens',
  role: 'Rolle',
  made_by: 'Erstellt von',
  expires: 'Endet',
  last_used: 'Zuletzt verwendet',
  states: { active: 'Aktiv', expired: 'Abgelaufen', revoked: 'Widerrufen' },
  empty_title: 'Noch keine Tokens',
  empty_text: 'Zum Beispiel für ein Abrechnungssystem, das die Nutzung jedes Monats abholt.',
  create: {
    title: 'Neues Token',
    description:
      'Es endet mit Ihnen: wenn Sie entfernt werden oder Ihre Rolle die des Tokens nicht mehr umfasst.',
    submit: 'Token erstellen',
    name: 'Name',
    name_hint: 'Wofür es ist, zum Beispiel Abrechnung.',
    name_missing: 'Geben Sie einen Namen ein.',
    expires: 'Gilt für',
    days: plural({ one: '{count} Tag', other: '{count} Tage' }),
    token_title: 'Kopieren Sie das Token jetzt',
    token_description: 'Das Token „{name}“ wird nicht noch einmal angezeigt.',
    copy: 'Token kopieren',
    copied: 'Ich habe es kopiert',
  },
  revoke: {
    button: 'Widerrufen',
    label: '{name} widerrufen',
    title: '„{name}“ widerrufen?',
    description: 'Programme, die es verwenden, werden ab der nächsten Anfrage abgelehnt.',
    submit: 'Token widerrufen',
    done: 'Token „{name}“ widerrufen.',
  },
}
