import type { ShellTexts } from '../en/shell.ts'

export const shell: ShellTexts = {
  account: 'Ihr Konto',
  environment: 'Umgebung',
  home: 'Vidimus, Übersicht',
  language: 'Sprache',
  menu: 'Menü',
  open_menu: 'Menü öffnen',
  skip: 'Zum Inhalt springen',
  sign_out: 'Abmelden',
  switch_to: 'Zu {tenant} wechseln',
  other_tenant: 'Bei einem weiteren Mandanten anmelden',
  test_data: 'Testdaten. Personen und Nachweise sind erfunden.',
  theme: 'Farbschema',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  pages: {
    label: 'Seiten',
    overview: 'Übersicht',
    verifications: 'Überprüfungen',
    links: 'Links',
    templates: 'Vorlagen',
    registrations: 'Registrierungen',
    devices: 'Geräte',
    keys: 'API-Schlüssel',
    openid_clients: 'OpenID-Clients',
    webhooks: 'Webhooks',
    requests: 'Anfragen',
    usage: 'Nutzung',
    alerts: 'Meldungen',
    audit: 'Audit-Protokoll',
    team: 'Team',
    settings: 'Einstellungen',
    reference: 'API-Referenz',
  },
  not_found: {
    title: 'Seite nicht gefunden',
    text: 'Die Adresse ist vielleicht falsch, oder der Eintrag wurde gelöscht.',
    home: 'Zur Übersicht',
  },
  confirmation: {
    title: 'Bestätigen Sie, dass Sie es sind',
    with_passkey:
      'Das kann Zugang gewähren oder Geheimes zeigen, und Ihre letzte Bestätigung ist mehr als zehn Minuten her. Verwenden Sie Ihren Passkey, um fortzufahren.',
    at_provider:
      'Das kann Zugang gewähren oder Geheimes zeigen, und Ihre letzte Bestätigung ist mehr als zehn Minuten her. Melden Sie sich erneut bei Ihrem Identitätsanbieter an. Danach kehren Sie auf diese Seite zurück und wiederholen den Schritt.',
    use_passkey: 'Passkey verwenden',
    sign_in: 'Erneut anmelden',
  },
  suspension: {
    suspended:
      'Der Betreiber hat dieses Konto am {since} gesperrt. Es lassen sich keine Prüfungen erstellen.',
    closed: 'Der Betreiber hat dieses Konto am {since} geschlossen. Es wird gelöscht.',
    goes_on: 'Sie können weiterhin alles lesen, exportieren und löschen.',
  },
  return_link: {
    operator: 'Der Betreiber des Dienstes',
    created: '{creator} hat am {at} einen Anmeldelink für Sie erstellt.',
    not_used: 'Er wurde nicht verwendet.',
    used: 'Er wurde am {at} verwendet.',
    advice: 'Wenn Sie das nicht waren, {link} und informieren Sie einen Eigentümer.',
    check_passkeys: 'prüfen Sie Ihre Passkeys',
  },
}
