import type { SearchTexts } from '../en/search.ts'

export const search: SearchTexts = {
  open: 'Suchen',
  title: 'Suche',
  label: 'Suchen nach',
  placeholder: 'ID, Metadatenwert, Anfrage-ID, Schlüssel, Gerät, Vorlage oder OpenID-Client',
  hint: 'Mindestens zwei Zeichen, einen Metadatenwert ganz. Mit den Pfeiltasten auswählen, mit der Eingabetaste öffnen.',
  actions: 'Aktionen',
  groups: {
    verifications: 'Überprüfungen',
    requests: 'Anfragen',
    keys: 'API-Schlüssel',
    devices: 'Geräte',
    templates: 'Vorlagen',
    openid_clients: 'OpenID-Clients',
  },
  revoked: 'Widerrufen',
  device_statuses: { pending: 'Nicht gekoppelt', active: 'Gekoppelt', revoked: 'Widerrufen' },
  built_in: 'Mitgeliefert',
}
