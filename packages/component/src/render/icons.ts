import { svg } from './dom.ts'

const paths = {
  check: 'M6 12.5l4 4 8-9',
  cross: 'M7 7l10 10M17 7L7 17',
  minus: 'M6 12h12',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4.3l2.8 1.7',
  warning: 'M12 4l9 15.5H3zM12 10v4M12 16.8v.2',
  down: 'M6 9l6 6 6-6',
  next: 'M9 5l7 7-7 7',
  leave: 'M10 6H6v12h12v-4M13 5h6v6M19 5l-8 8',
  phone:
    'M8.5 3h7A1.5 1.5 0 0 1 17 4.5v15a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 7 19.5v-15A1.5 1.5 0 0 1 8.5 3zM11 18h2',
  wallet: 'M4 7.5A2.5 2.5 0 0 1 6.5 5H18v3M4 7.5V17a2.5 2.5 0 0 0 2.5 2.5H20V8H6.5M16 13.8h.1',
  card: 'M4 6h16v12H4zM7.5 13a2 2 0 1 1 3 0M14 10.5h3M14 13.5h3',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  again: 'M5 12a7 7 0 1 1 2.2 5.1M5 19v-4h4',
} as const

export type IconName = keyof typeof paths

/** A line drawing. Decoration: the words beside it say the same. */
export function icon(name: IconName): SVGElement {
  // Only what points in the direction of reading is mirrored from right to left.
  const kind = name === 'next' ? 'i flip' : 'i'
  return svg(
    'svg',
    { class: kind, viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    svg('path', { d: paths[name] }),
  )
}
