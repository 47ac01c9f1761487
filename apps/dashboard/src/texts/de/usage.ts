import type { UsageTexts } from '../en/usage.ts'
import { plural } from '../plural.ts'

export const usage: UsageTexts = {
  title: 'Nutzung',
  description:
    'Erstellte Überprüfungen je Tag (UTC). Test und Live teilen sich ein Kontingent, das um Mitternacht (UTC) neu beginnt.',
  download: 'CSV herunterladen',
  today: 'von {quota} heute, {remaining} übrig',
  show_table: 'Als Tabelle anzeigen',
  table_caption: 'Erstellte Überprüfungen nach Tagen',
  day: 'Tag',
  chart: plural({
    one: 'Erstellte Überprüfungen am letzten Tag, mit dem Tageskontingent von {quota}. Die Tabelle darunter enthält dieselben Zahlen.',
    other:
      'Erstellte Überprüfungen je Tag in den letzten {count} Tagen, mit dem Tageskontingent von {quota}. Die Tabelle darunter enthält dieselben Zahlen.',
  }),
  bar: '{day}: {created}',
  daily_quota: 'Tageskontingent {quota}',
}
