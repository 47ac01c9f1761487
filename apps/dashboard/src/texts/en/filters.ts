export type FiltersTexts = typeof filters

/** Filters of lists, and downloads of what they show. */
export const filters = {
  template_example: 'A part of the key',
  metadata: 'Metadata',
  metadata_example: 'order=A-1001, or a value',
  device: 'Device',
  from: 'From',
  to: 'To',
  clear: 'Clear filters',
  open: 'Filters',
  active: 'active',
  download: 'Download CSV',
  download_with_claims: 'Download CSV with claims',
  download_note:
    'Downloads contain what the filters show, at most the newest 50,000. With claims, the download is recorded in the audit log.',
}
