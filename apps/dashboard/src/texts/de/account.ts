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
  passkeys: {
    title: 'Passkeys',
    description:
      'Fügen Sie für jedes Gerät, das Sie verwenden, einen hinzu. Mit zweien können Sie sich auch dann noch anmelden, wenn Sie einen verlieren.',
    caption: 'Ihre Passkeys',
    add: 'Passkey hinzufügen',
    added: 'Passkey hinzugefügt.',
    stored: 'Gespeichert',
    synced: 'Vom Anbieter synchronisiert',
    on_one_device: 'Auf einem Gerät',
    added_on: 'Hinzugefügt',
    last_used: 'Zuletzt verwendet',
    this_device: 'Dieses Gerät',
    remove: 'Entfernen',
    remove_label: '{name} entfernen',
    remove_title: '„{name}“ entfernen?',
    remove_description:
      'Sie können sich damit nicht mehr anmelden. Damit begonnene Sitzungen bleiben offen; melden Sie sich überall ab, um sie zu beenden.',
    remove_submit: 'Passkey entfernen',
    removed: 'Passkey entfernt.',
  },
  sessions: {
    title: 'Sitzungen',
    description: 'Wo Sie angemeldet sind.',
    caption: 'Ihre Sitzungen',
    signed_in: 'Angemeldet',
    this_session: 'Diese Sitzung',
    method: 'Methode',
    unknown: 'Unbekannt',
    methods: { passkey: 'Passkey', oidc: 'Identitätsanbieter', link: 'Anmeldelink' },
    last_seen: 'Zuletzt aktiv',
    expires: 'Diese Sitzung läuft spätestens am {at} ab.',
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
