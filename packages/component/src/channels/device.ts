export type Device = 'phone' | 'tablet' | 'computer'

/** A phone is touched, and narrow in one direction. */
const phoneQuery = '(pointer: coarse) and (max-width: 640px), (pointer: coarse) and (max-height: 480px)'

/** What the page is shown on: it decides where the wallet probably is. */
export function readDevice(): Device {
  if (matchMedia(phoneQuery).matches) return 'phone'
  return matchMedia('(pointer: coarse)').matches ? 'tablet' : 'computer'
}
