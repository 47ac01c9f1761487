const paths = {
  age: 'M12 3l7.5 3v5.5c0 4.5-3 8-7.5 9.5-4.5-1.5-7.5-5-7.5-9.5V6zM8.8 12l2.3 2.3 4.2-4.5',
  person: 'M12 5a3.6 3.6 0 1 0 0 7.2A3.6 3.6 0 0 0 12 5M5 20c.7-3.5 3.3-5.5 7-5.5s6.3 2 7 5.5',
  card: 'M4 6.5A1.5 1.5 0 0 1 5.5 5h13A1.5 1.5 0 0 1 20 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5zM9 9.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6M6.3 16c.5-1.3 1.5-2 2.7-2s2.2.7 2.7 2M14.5 10h3M14.5 13.5h3',
  list: 'M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.1M4.5 12h.1M4.5 17.5h.1',
  lock: 'M6.5 11h11v8.5h-11zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  phone:
    'M8.5 3h7A1.5 1.5 0 0 1 17 4.5v15a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 7 19.5v-15A1.5 1.5 0 0 1 8.5 3zM11 18h2',
  wallet: 'M4 7.5A2.5 2.5 0 0 1 6.5 5H18v3M4 7.5V17a2.5 2.5 0 0 0 2.5 2.5H20V8H6.5M16 13.8h.1',
  stop: 'M7 7h10v10H7z',
  again: 'M5 12a7 7 0 1 1 2.2 5.1M5 19v-4h4',
  tick: 'M5 12.5l4.6 4.6L19 7.4',
  cross: 'M7 7l10 10M17 7L7 17',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4.3l2.8 1.7',
  warning: 'M12 4l9 15.5H3zM12 10v4M12 16.8v.2',
  offline:
    'M4 4l16 16M8.5 8.5A7 7 0 0 1 12 8c2.7 0 5 1 7 2.7M5 10.7a10 10 0 0 1 2-1.3M8.3 14.1A5.5 5.5 0 0 1 12 12.7c.5 0 1 .1 1.5.2M12 18h.1',
  backspace: 'M9 6h10.5v12H9l-5.5-6zM12 10l4 4M16 10l-4 4',
  tabs: 'M8 8V5h11v11h-3M5 8h11v11H5z',
}

export type IconName = keyof typeof paths

/** Lines in the colour of the text. What it means is always said in words as well. */
export function Icon({ name, big = false }: { name: IconName; big?: boolean }) {
  return (
    <svg className={big ? 'icon big' : 'icon'} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
