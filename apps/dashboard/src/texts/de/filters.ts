import type { FiltersTexts } from '../en/filters.ts'

export const filters: FiltersTexts = {
  template_example: 'Ein Teil des Schlüssels',
  metadata: 'Metadaten',
  metadata_example: 'order=A-1001 oder ein Wert',
  device: 'Gerät',
  from: 'Von',
  to: 'Bis',
  clear: 'Filter zurücksetzen',
  open: 'Filter',
  active: 'aktiv',
  download: 'CSV herunterladen',
  download_with_claims: 'CSV mit Angaben herunterladen',
  download_note:
    'Downloads enthalten, was die Filter zeigen, höchstens die neuesten 50.000. Ein Download mit Angaben wird im Audit-Protokoll vermerkt.',
}
