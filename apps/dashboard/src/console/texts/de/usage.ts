import { plural } from '../../../texts/plural.ts'
import type { UsageTexts } from '../en/usage.ts'

export const usage: UsageTexts = {
  title: 'Nutzung',
  description:
    'Überprüfungen jedes Mandanten nach Ergebnis und nach dem Monat (UTC), in dem sie erstellt wurden.',
  caption: 'Nutzung nach Mandanten',
  download: 'CSV herunterladen',
  month: 'Monat',
  environment: 'Umgebung',
  environments: { live: 'Live', test: 'Test' },
  both: 'Beide, getrennt',
  tenant: 'Mandant',
  deleted: 'Gelöschter Mandant',
  columns: {
    created: 'Erstellt',
    completed: 'Angenommen',
    failed: 'Nicht angenommen',
    declined: 'Nichts geteilt',
    expired: 'Ohne Antwort beendet',
    pending: 'Offen',
  },
  final: 'Endgültig',
  not_final: 'Noch nicht endgültig',
  sum: plural({ one: '{count} Mandant', other: '{count} Mandanten' }),
  sum_shown: plural({ one: '{count} Mandant angezeigt', other: '{count} Mandanten angezeigt' }),
  load_more: 'Weitere Mandanten laden',
  empty_title: 'Keine Nutzung in diesem Monat',
  empty_text: 'In dieser Umgebung hat niemand eine Überprüfung erstellt.',
  by_api: {
    title: 'Dasselbe über die API',
    description:
      'Für Abrechnungssysteme. Nötig ist ein Token mit der Rolle Eigentümer, Abrechnung oder Auditor.',
    copy: 'Anfrage kopieren',
  },
}
