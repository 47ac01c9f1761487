import type { SearchTexts } from '../en/search.ts'

export const search: SearchTexts = {
  open: 'Nach ID suchen',
  title: 'Suchen',
  label: 'Name oder ID',
  placeholder: 'Name oder ID eines Mandanten, ID einer Überprüfung',
  hint: 'Mindestens zwei Zeichen, eine ID ganz. Mit den Pfeiltasten auswählen, mit der Eingabetaste öffnen.',
  verification: 'Überprüfung',
  page: {
    title: 'Überprüfung',
    description:
      'Wem sie gehört, und wie sie in Logs und Traces heißt. Nie, was ein Inhaber offengelegt hat.',
    not_found: 'Es gibt keine Überprüfung mit dieser ID.',
    tenant: 'Mandant',
    environment: 'Umgebung',
    status: 'Stand',
    created: 'Erstellt',
    expires: 'Läuft ab',
    responded: 'Beantwortet',
    hash: 'In Logs und Traces',
    hash_hint: 'Ein mit einem Schlüssel gebildeter Hash der ID. Suchen Sie damit in Log und Traces.',
    copy_hash: 'Hash kopieren',
  },
}
