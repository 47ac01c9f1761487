import type { CommonTexts } from '../en/common.ts'

export const common: CommonTexts = {
  environments: { test: 'Test', live: 'Live' },
  roles: {
    owner: 'Eigentümer',
    admin: 'Administrator',
    developer: 'Entwickler',
    support: 'Support',
    auditor: 'Auditor',
  },
  all: 'Alle',
  never: 'Nie',
  none: 'Keine',
  name: 'Name',
  status: 'Status',
  template: 'Vorlage',
  created: 'Erstellt',
  save: 'Speichern',
  done: 'Fertig',
}
