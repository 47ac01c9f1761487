import type { SignInTexts } from '../en/sign-in.ts'

export const signIn: SignInTexts = {
  title: 'Anmelden',
  description:
    'Verwenden Sie einen Passkey: Fingerabdruck, Gesicht oder Geräte-PIN. Passwörter gibt es nicht.',
  with_passkey: 'Mit Passkey anmelden',
  with_provider: 'Mit {provider} anmelden',
  your_organisation: 'Ihrer Organisation',
  help: 'Neu hier oder Passkey verloren? Bitten Sie einen Eigentümer oder Administrator Ihres Teams um einen Link. Betreiber erstellen ihn mit {command}.',
  no_account: 'Noch kein Konto?',
  sign_up: {
    title: 'Konto eröffnen',
    description:
      'Für Organisationen, die mit Vidimus prüfen wollen. Passwörter gibt es nicht: Sie erstellen einen Passkey.',
    waitlist: 'Der Betreiber gibt neue Konten frei, bevor sie sich verwenden lassen.',
    open: 'Testen Sie sofort. Live-Prüfungen gibt der Betreiber frei.',
    organisation: 'Name Ihrer Organisation',
    organisation_missing: 'Geben Sie den Namen Ihrer Organisation ein.',
    email: 'E-Mail-Adresse',
    email_missing: 'Geben Sie Ihre E-Mail-Adresse ein.',
    submit: 'Link senden',
    sent_title: 'Sehen Sie in Ihre E-Mails',
    sent: 'Wir haben eine E-Mail an {email} gesendet. Der Link darin funktioniert einmal, innerhalb von 15 Minuten.',
    off_title: 'Hier lässt sich kein Konto eröffnen',
    off: 'Konten eröffnet der Betreiber dieses Dienstes. Bitten Sie ihn um eine Einladung.',
    have_account: 'Sie haben ein Konto?',
  },
  callback_errors: {
    invalid_invitation: 'Die Einladung ist abgelaufen oder wurde bereits verwendet. Bitten Sie um eine neue.',
    sign_in_unavailable: 'Ihr Identitätsanbieter antwortet nicht. Versuchen Sie es später erneut.',
    other:
      'Mit diesem Konto ist hier keine Anmeldung möglich. Bitten Sie einen Eigentümer Ihres Teams um eine Einladung.',
  },
  invitation: {
    title: 'Einladung',
    join: '{tenant} beitreten',
    open: 'Konto von {tenant} eröffnen',
    welcome_back: 'Willkommen zurück',
    invited: 'Sie wurden als {email} mit der Rolle {role} eingeladen. Der Link läuft am {at} ab.',
    opening: 'Sie eröffnen dieses Konto als {email} mit der Rolle {role}. Der Link läuft am {at} ab.',
    returning:
      'Fügen Sie eine Anmeldemethode für {email} mit der Rolle {role} hinzu. Der Link läuft am {at} ab.',
    your_name: 'Ihr Name',
    your_name_hint: 'Wird Ihrem Team und im Audit-Protokoll angezeigt.',
    name_missing: 'Geben Sie Ihren Namen ein.',
    create_passkey: 'Passkey erstellen',
    continue_with: 'Weiter mit {provider}',
    invalid_title: 'Dieser Link funktioniert nicht',
    invalid_text:
      'Ein Link funktioniert nur einmal und läuft ab. Bitten Sie die Person, die ihn geschickt hat, um einen neuen.',
  },
}
