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
    support: 'Überprüfungen ohne Angaben, Webhooks erneut senden, Geräte, die nur Ja oder Nein liefern.',
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
  },
  remove: {
    button: 'Entfernen',
    label: '{name} entfernen',
    title: '{name} entfernen?',
    description:
      'Die Sitzungen enden, und die Passkeys und verschickten Einladungen werden sofort ungültig. Die Einträge im Audit-Protokoll bleiben erhalten.',
    submit: 'Mitglied entfernen',
    done: '{name} wurde entfernt.',
    secret:
      'Mit dieser Rolle lässt sich das Signaturgeheimnis der Webhooks anzeigen. Wenn das laut Audit-Protokoll geschehen ist, erneuern Sie es unter Webhooks.',
  },
  access: {
    description:
      '{name} hat dies eingerichtet. Es funktioniert auch ohne dieses Konto, und es kann Kopien geben. Was Sie behalten, gehört danach zu Ihnen.',
    kinds: {
      api_key: 'API-Schlüssel',
      device: 'Geräte',
      openid_client: 'OpenID-Clients',
      webhook_endpoint: 'Webhook-Endpunkte',
      alert_webhook: 'Webhook für Warnungen',
      trust_anchor: 'Vertrauensanker',
      access_certificate: 'Zugangszertifikat',
    },
    end: {
      api_key: 'Diese Schlüssel widerrufen',
      device: 'Diese Geräte widerrufen',
      openid_client: 'Diese Clients löschen',
      webhook_endpoint: 'Diese Endpunkte löschen',
      alert_webhook: 'Diesen Webhook entfernen',
      trust_anchor: 'Diesen Zertifikaten nicht mehr vertrauen',
      access_certificate: 'Dieses Zertifikat entfernen',
    },
    end_hints: {
      api_key: 'Systeme, die sie verwenden, funktionieren sofort nicht mehr.',
      device: 'Kassen und Tablets funktionieren erst wieder, wenn sie neu registriert und gekoppelt sind.',
      openid_client: 'Ihre Websites können niemanden mehr überprüfen.',
      webhook_endpoint: 'Ihre Empfänger erhalten keine Ereignisse mehr.',
      alert_webhook: 'Er erhält keine Warnungen mehr.',
      trust_anchor: 'Nachweisen dieser Aussteller wird nicht mehr vertraut.',
      access_certificate: 'Neue Überprüfungen verwenden das Zertifikat des Dienstes.',
    },
    keep_hints: {
      credential:
        'Sie funktionieren weiter, auch für alle, die ein Geheimnis kopiert haben oder ein Gerät besitzen.',
      address: 'Bleibt in Kraft. Prüfen Sie, ob es noch zu Ihrer Organisation gehört.',
    },
    made_with_key: 'mit einem API-Schlüssel erstellt',
    ended: 'Beendet',
    taken_over: 'Funktioniert weiter und gehört jetzt zu Ihnen',
    done: 'Fertig',
  },
}
