import type { PaletteTexts } from '../en/palette.ts'
import { plural } from '../plural.ts'

export const palette: PaletteTexts = {
  pages: 'Seiten',
  page: 'Seite',
  results: plural({ one: '{count} Treffer', other: '{count} Treffer' }),
  none: 'Nichts gefunden.',
  searching: 'Suche läuft …',
  shortcuts: {
    title: 'Tastatur',
    search: 'Von jeder Seite aus suchen',
    choose: 'Ein Ergebnis oder einen Tag im Diagramm wählen',
    open: 'Öffnen',
    close: 'Schließen',
  },
}
