import { plural } from '../plural.ts'
import type { SearchTexts } from '../en/search.ts'

export const search: SearchTexts = {
  open: 'Suchen',
  title: 'Suche',
  label: 'Suchen nach',
  placeholder: 'ID, Metadatenwert, Anfrage-ID, Schlüssel, Gerät, Vorlage oder OpenID-Client',
  hint: 'Mindestens zwei Zeichen, einen Metadatenwert ganz. Mit den Pfeiltasten auswählen, mit der Eingabetaste öffnen.',
  pages: 'Seiten',
  actions: 'Aktionen',
  page: 'Seite',
  shortcuts: {
    title: 'Tastatur',
    search: 'Von jeder Seite aus suchen',
    choose: 'Ein Ergebnis oder einen Tag im Diagramm wählen',
    open: 'Öffnen',
    close: 'Schließen',
  },
  groups: {
    verifications: 'Überprüfungen',
    requests: 'Anfragen',
    keys: 'API-Schlüssel',
    devices: 'Geräte',
    templates: 'Vorlagen',
    openid_clients: 'OpenID-Clients',
  },
  results: plural({ one: '{count} Treffer', other: '{count} Treffer' }),
  none: 'Nichts gefunden.',
  searching: 'Suche läuft …',
  revoked: 'Widerrufen',
  device_statuses: { pending: 'Nicht gekoppelt', active: 'Gekoppelt', revoked: 'Widerrufen' },
  built_in: 'Mitgeliefert',
}
