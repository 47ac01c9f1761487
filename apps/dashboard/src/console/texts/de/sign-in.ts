import type { AccountTexts, SignInTexts } from '../en/sign-in.ts'

export const signIn: SignInTexts = {
  title: 'Anmelden',
  description:
    'Die Konsole des Betreibers. Verwenden Sie einen Passkey: Fingerabdruck, Gesicht oder Geräte-PIN. Passwörter gibt es nicht.',
  with_passkey: 'Mit Passkey anmelden',
  with_provider: 'Mit {provider} anmelden',
  callback_errors: {
    invalid_invitation:
      'Der Link ist abgelaufen oder wurde bereits verwendet. Bitten Sie einen Eigentümer um einen neuen.',
    other:
      'Die Anmeldung beim Identitätsanbieter ist fehlgeschlagen, oder dieses Konto gehört zu keinem Betreiber.',
  },
  help: 'Neu hier oder Passkey verloren? Bitten Sie einen Eigentümer um einen Link. Auf dem Server erstellt ihn {command}.',
  invitation: {
    title: 'Einladung',
    welcome: 'Willkommen, {name}',
    invited: 'Sie melden sich als {email} mit der Rolle {role} an. Der Link läuft am {at} ab.',
    create_passkey: 'Passkey erstellen',
    continue_with: 'Weiter mit {provider}',
    invalid_title: 'Dieser Link funktioniert nicht',
    invalid_text:
      'Ein Link funktioniert einmal und 24 Stunden lang. Bitten Sie die Person, die ihn geschickt hat, um einen neuen.',
  },
}

export const account: AccountTexts = {
  name_note:
    'Ihre Rolle ändert ein Eigentümer. Um Name oder Adresse zu ändern, lassen Sie sich neu hinzufügen.',
  sessions: {
    title: 'Sitzung',
    description: 'Sie endet nach einer halben Stunde ohne Anfrage und acht Stunden nach der Anmeldung.',
    signed_in: 'Angemeldet',
    method: 'Mit',
    methods: { passkey: 'Passkey', oidc: 'Identitätsanbieter' },
    expires: 'Endet spätestens',
    others: 'Andere Browser',
    other_count: { one: '{count} angemeldet', other: '{count} angemeldet' },
    sign_out: 'Überall abmelden',
    sign_out_title: 'Überall abmelden?',
    sign_out_description: 'Beendet alle Ihre Sitzungen auf allen Geräten, auch diese.',
  },
}
