import type { PasskeysTexts } from '../en/passkeys.ts'

export const passkeys: PasskeysTexts = {
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
}
