import type { TeamTexts } from '../en/team.ts'
import { plural } from '../plural.ts'

export const team: TeamTexts = {
  title: 'Team',
  description:
    'Mitglieder und ihre Rollen. Alle melden sich mit einem Passkey oder über Ihren Identitätsanbieter an; Passwörter gibt es nicht.',
  members: 'Mitglieder',
  member: 'Mitglied',
  you: 'Sie',
  role: 'Rolle',
  roles: 'Rollen',
  signs_in_with: 'Anmeldung mit',
  passkeys: plural({ one: '{count} Passkey', other: '{count} Passkeys' }),
  identity_provider: 'Identitätsanbieter',
  not_set_up: 'Nicht eingerichtet',
  last_seen: 'Zuletzt aktiv',
  operator: 'Betreiber',
  role_descriptions: {
    owner: 'Alles, auch die Rolle Eigentümer vergeben.',
    admin: 'Alles, außer Eigentümer zu verwalten: Schlüssel, Geheimnisse, Einstellungen, Team, Löschungen.',
    developer:
      'API-Schlüssel ohne Löschberechtigung, Vorlagen, Testüberprüfungen, Webhooks, Geräte und Angaben. Keine Geheimnisse, kein Team.',
    support: 'Überprüfungen ohne Angaben, Webhooks erneut senden, Geräte.',
    auditor: 'Liest alles außer Angaben und Geheimnissen, auch das Audit-Protokoll; ändert nichts.',
  },
  invitations: {
    title: 'Offene Einladungen',
    email: 'E-Mail-Adresse',
    invited_by: 'Eingeladen von',
    expires: 'Läuft ab',
    expired: 'Abgelaufen',
    withdraw: 'Zurückziehen',
    withdraw_label: 'Einladung für {email} zurückziehen',
    withdraw_title: 'Diese Einladung zurückziehen?',
    withdraw_description: 'Der Link für {email} wird ungültig.',
    withdraw_submit: 'Einladung zurückziehen',
    withdrawn: 'Einladung zurückgezogen.',
  },
  invite: {
    title: 'Mitglied einladen',
    submit: 'Einladungslink erstellen',
    email_hint: 'Kennzeichnet das Mitglied. Ist der E-Mail-Versand eingerichtet, geht der Link auch dorthin.',
    email_invalid: 'Geben Sie eine E-Mail-Adresse ein.',
    link_title: 'Einladungslink',
    link_description:
      'Schicken Sie diesen Link an {email}. Er kann bis {at} einmal verwendet werden, um mit der Rolle {role} beizutreten. Er wird nur einmal angezeigt; eine E-Mail wird nicht verschickt.',
    link_description_mailed:
      'Der Link wird an {email} geschickt. Sie können ihn auch selbst weitergeben. Er kann bis {at} einmal verwendet werden, um mit der Rolle {role} beizutreten. Er wird nur einmal angezeigt.',
    copy_link: 'Link kopieren',
    copied: 'Ich habe ihn kopiert',
  },
  change_role: {
    button: 'Rolle ändern',
    label: 'Rolle ändern: {name}',
    title: 'Rolle von {name}',
    done: '{name} hat jetzt die Rolle {role}.',
    keys: 'Von {name} erstellte API-Schlüssel, die die Rolle {role} nicht erstellen darf',
  },
  remove: {
    button: 'Entfernen',
    label: '{name} entfernen',
    title: '{name} entfernen?',
    description:
      'Die Sitzungen enden, und die Passkeys werden sofort ungültig. Das gilt auch für verschickte Einladungen und für registrierte Geräte, die noch nicht gekoppelt sind. Die Einträge im Audit-Protokoll bleiben erhalten.',
    submit: 'Mitglied entfernen',
    done: '{name} wurde entfernt.',
    keys: 'Von {name} erstellte API-Schlüssel',
    secret:
      'Mit dieser Rolle lässt sich das Signaturgeheimnis der Webhooks anzeigen. Wenn das laut Audit-Protokoll geschehen ist, erneuern Sie es unter Webhooks.',
  },
  keys: {
    revoke: 'Diese Schlüssel widerrufen',
    revoke_hint:
      'Systeme, die sie verwenden, funktionieren sofort nicht mehr. Behalten Sie einen Schlüssel, kann ihn weiter verwenden, wer ihn kopiert hat.',
  },
}
