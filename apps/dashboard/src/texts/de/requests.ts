import { plural } from '../plural.ts'
import type { RequestsTexts } from '../en/requests.ts'

export const requests: RequestsTexts = {
  title: 'Anfragen',
  description:
    'API-Anfragen Ihrer Schlüssel und Geräte in den letzten 7 Tagen. Inhalte und Angaben werden nie aufgezeichnet.',
  caption: 'API-Anfragen, neueste zuerst',
  request: 'Anfrage',
  status: 'Status',
  caller: 'Aufrufer',
  duration: 'Dauer',
  time: 'Zeit',
  filters: {
    status: 'Status',
    route: 'Route',
    route_example: 'POST /v1/verifications',
    error_code: 'Fehlercode',
    error_code_example: 'unknown_template',
    caller: 'Schlüssel oder Gerät',
    from: 'Von',
    to: 'Bis',
    request_id: 'Anfrage-ID',
    request_id_hint: 'Aus dem Header X-Request-Id einer Antwort.',
    keys: 'API-Schlüssel',
    devices: 'Geräte',
  },
  classes: {
    '2xx': '2xx: erfolgreich',
    '3xx': '3xx: weitergeleitet',
    '4xx': '4xx: abgelehnt',
    '5xx': '5xx: fehlgeschlagen',
  },
  idempotency: { new: 'Neu', replayed: 'Wiederholt', conflict: 'Konflikt' },
  closed_by_caller: 'Der Aufrufer hat die Verbindung getrennt',
  member: 'Dashboard',
  copy_id: 'Anfrage-ID kopieren',
  about_verification: 'Nur Anfragen zur Überprüfung {verification}.',
  show_all: 'Alle Anfragen zeigen',
  omitted: plural({
    one: '{count} Anfrage aus diesem Zeitraum wurde nicht aufgezeichnet, weil es zu viele auf einmal waren.',
    other:
      '{count} Anfragen aus diesem Zeitraum wurden nicht aufgezeichnet, weil es zu viele auf einmal waren.',
  }),
  off: 'Das Anfrageprotokoll ist ausgeschaltet. Eigentümer und Administratoren können es in den {settings} einschalten.',
  settings: 'Einstellungen',
  unavailable: 'Der Betreiber des Dienstes hat das Anfrageprotokoll ausgeschaltet.',
  empty_title: 'Noch keine Anfragen',
  empty: 'Anfragen Ihrer Server und Geräte an die API erscheinen hier nach ein bis zwei Sekunden.',
  no_match: 'Keine passenden Anfragen.',
  load_older: 'Ältere Anfragen laden',
  setting: {
    title: 'Anfrageprotokoll',
    description:
      'Speichert die API-Anfragen der letzten 7 Tage: Zeit, Route, Status, Fehlercode und Dauer. Niemals Inhalte, Angaben oder Metadaten.',
    enabled: 'API-Anfragen aufzeichnen',
    hint: 'Wenn Sie es ausschalten, bleiben bereits aufgezeichnete Anfragen bis zum Ende ihrer 7 Tage sichtbar.',
    unavailable: 'Der Betreiber des Dienstes hat das Anfrageprotokoll für alle ausgeschaltet.',
    save: 'Anfrageprotokoll speichern',
    saved: 'Anfrageprotokoll gespeichert.',
  },
}
