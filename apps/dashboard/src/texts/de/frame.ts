import type { FrameTexts } from '../en/frame.ts'

export const frame: FrameTexts = {
  account: 'Ihr Konto',
  language: 'Sprache',
  menu: 'Menü',
  open_menu: 'Menü öffnen',
  pages: 'Seiten',
  skip: 'Zum Inhalt springen',
  sign_out: 'Abmelden',
  theme: 'Farbschema',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
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
}
