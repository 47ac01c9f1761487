import { plural } from '../plural.ts'

export type PaletteTexts = typeof palette

/** The list of what a search has found. */
export const palette = {
  pages: 'Pages',
  page: 'Page',
  results: plural({ one: '{count} result', other: '{count} results' }),
  none: 'Nothing found.',
  searching: 'Searching…',
  shortcuts: {
    title: 'Keyboard',
    search: 'Search from any page',
    choose: 'Choose a result, or a day of a chart',
    open: 'Open it',
    close: 'Close',
  },
}
