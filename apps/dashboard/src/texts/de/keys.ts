import type { KeysTexts } from '../en/keys.ts'
import { plural } from '../plural.ts'

export const keys: KeysTexts = {
  title: 'API-Schlüssel',
  descriptions: {
    test: 'Mit diesen Schlüsseln rufen Ihre Systeme die Testumgebung auf. Ein Schlüssel wird einmal angezeigt, beim Erstellen; gespeichert wird nur seine Prüfsumme.',
    live: 'Mit diesen Schlüsseln rufen Ihre Systeme die Live-Umgebung auf. Ein Schlüssel wird einmal angezeigt, beim Erstellen; gespeichert wird nur seine Prüfsumme.',
  },
  captions: { test: 'API-Schlüssel der Testumgebung', live: 'API-Schlüssel der Live-Umgebung' },
  create: 'Schlüssel erstellen',
  scopes: 'Berechtigungen',
  last_used: 'Zuletzt verwendet',
  expires: 'Läuft ab',
  revoked: 'Widerrufen',
  expired: 'Abgelaufen',
  never_expires: 'Nie',
  empty: {
    title: 'Noch keine API-Schlüssel',
    what: 'Mit einem Schlüssel erstellt Ihr Server Überprüfungen und liest ihre Ergebnisse. Erstellen Sie für jedes System einen eigenen, nur mit den nötigen Berechtigungen; dann können Sie jeden einzeln widerrufen.',
    secrecy:
      'Ein Schlüssel gehört nie in eine App oder eine Webseite: Wer ihn hat, kann in Ihrem Namen handeln.',
  },
  form: {
    titles: { test: 'Testschlüssel erstellen', live: 'Live-Schlüssel erstellen' },
    name_hint: 'Das System, das ihn verwenden wird, zum Beispiel „Webshop“.',
    name_missing: 'Geben Sie einen Namen ein.',
    scope_missing: 'Wählen Sie mindestens eine Berechtigung.',
    scope_groups: {
      integrate: 'Berechtigungen',
      observe: 'Berechtigungen zum Lesen',
      manage: 'Berechtigungen zum Verwalten des Kontos, für Test und Live zugleich, für höchstens 90 Tage',
    },
    scope_hints: {
      'verifications:create': 'Überprüfungen erstellen.',
      'verifications:read': 'Ergebnisse einschließlich der Angaben und die Nutzung lesen.',
      'devices:manage': 'Geräte registrieren, auflisten und widerrufen.',
      'webhooks:manage': 'Webhook-Endpunkte anlegen, ändern und löschen.',
      'verifications:delete':
        'Überprüfungen endgültig löschen. Geben Sie diese Berechtigung nur dem System, das Löschanfragen bearbeitet.',
      'links:manage': 'Überprüfungs-Links anlegen, ändern und löschen und ihre Adressen sehen.',
      'config:read':
        'Vorlagen, Einstellungen, Registrierungen, OpenID-Clients und die Liste der Schlüssel lesen.',
      'members:read': 'Namen, E-Mail-Adressen und Rollen der Mitglieder lesen.',
      'requests:read': 'Das Anfrageprotokoll lesen.',
      'audit:read': 'Das Audit-Protokoll lesen und exportieren.',
      'templates:manage': 'Vorlagen anlegen, ändern und löschen.',
      'settings:manage': 'Marke, Richtlinien, Seite für Inhaber und den Webhook für Warnungen ändern.',
      'trust:manage': 'Vertraute Aussteller, Registrierungen und Zertifikate ändern.',
      'openid_clients:manage': 'OpenID-Clients anlegen, ändern und löschen.',
      'sealing:manage': 'Schlüssel, für die Ergebnisse versiegelt werden, registrieren und stilllegen.',
      'keys:manage': 'Schlüssel mit einem Teil der eigenen Berechtigungen anlegen und Schlüssel widerrufen.',
    },
    never: 'Nie',
    after_days: plural({ one: 'Nach {count} Tag', other: 'Nach {count} Tagen' }),
    on: 'Am {day}',
  },
  created: {
    title: 'Kopieren Sie jetzt Ihren Schlüssel',
    description:
      '„{name}“ wird nur dieses eine Mal angezeigt. Bewahren Sie ihn bei Ihren anderen Geheimnissen auf. Wenn Sie ihn verlieren, widerrufen Sie ihn und erstellen Sie einen neuen.',
    copy: 'Schlüssel kopieren',
    try: 'Ausprobieren',
    copy_example: 'Beispiel kopieren',
    copied: 'Ich habe ihn kopiert',
  },
  revoke: {
    button: 'Widerrufen',
    label: '{name} widerrufen',
    title: '„{name}“ widerrufen?',
    description:
      'Anfragen mit {prefix} schlagen dann mit {code} fehl. Das lässt sich nicht rückgängig machen. Damit erstellte Überprüfungen bleiben erhalten.',
    submit: 'Schlüssel widerrufen',
    done: '„{name}“ wurde widerrufen.',
  },
}
