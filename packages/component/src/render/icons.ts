import { svg } from './dom.ts'

const paths = {
  tick: 'M6.5 12.5l3.7 3.7 7.3-8',
  cross: 'M8 8l8 8M16 8l-8 8',
  pause: 'M7.5 12h9',
  clock: 'M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14M12 8.5v3.8l2.6 1.6',
  phone:
    'M9 5.5h6a1.2 1.2 0 0 1 1.2 1.2v10.6a1.2 1.2 0 0 1-1.2 1.2H9a1.2 1.2 0 0 1-1.2-1.2V6.7A1.2 1.2 0 0 1 9 5.5zM11.2 16.2h1.6',
} as const

export type IconName = keyof typeof paths

/** A line drawing in a circle. Decoration: the words beside it say the same. */
export function icon(name: IconName): SVGElement {
  return svg(
    'svg',
    { class: `icon ${name}`, viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    svg('path', { d: paths[name] }),
  )
}
