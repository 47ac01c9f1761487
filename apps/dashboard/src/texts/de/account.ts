import type { AccountTexts } from '../en/account.ts'

export const account: AccountTexts = {
  title: 'Ihr Konto',
  operator: 'Betreiber',
  name: {
    title: 'Name',
    description: 'Wird Ihrem Team und im Audit-Protokoll angezeigt.',
    missing: 'Geben Sie einen Namen ein.',
    save: 'Namen speichern',
    saved: 'Name gespeichert.',
  },
  sessions: {
    title: 'Sitzungen',
    description: 'Wo Sie angemeldet sind.',
    caption: 'Ihre Sitzungen',
    browser: 'Browser',
    signed_in: 'Angemeldet',
    this_session: 'Diese Sitzung',
    method: 'Methode',
    unknown: 'Unbekannt',
    methods: { passkey: 'Passkey', oidc: 'Identitätsanbieter', link: 'Anmeldelink' },
    last_seen: 'Zuletzt aktiv',
    expires: 'Diese Sitzung läuft spätestens am {at} ab.',
    end: 'Beenden',
    end_label: 'Sitzung in {browser} beenden',
    end_title: 'Diese Sitzung beenden?',
    end_description:
      'Dieser Browser wird sofort abgemeldet. Wenn Sie ihn nicht kennen, entfernen Sie auch Passkeys, die Sie nicht kennen.',
    end_submit: 'Sitzung beenden',
    ended: 'Sitzung beendet.',
    sign_out: 'Überall abmelden',
    sign_out_title: 'Überall abmelden?',
    sign_out_description: 'Beendet alle Ihre Sitzungen auf allen Geräten, auch diese.',
  },
  links: {
    title: 'Für Sie erstellte Anmeldelinks',
    description:
      'Wenn Sie um keinen Link gebeten haben oder jemand anderes ihn verwendet hat, entfernen Sie alle Passkeys, die Sie nicht kennen, und informieren Sie einen Eigentümer.',
    created_by: 'Erstellt von',
    used: 'Verwendet',
    not_used: 'Nicht verwendet',
  },
}
