import { encode } from 'uqr'
import { svg } from './dom.ts'

/** The quiet zone that ISO/IEC 18004 asks for, in modules. */
const quietZone = 4

/** A QR code as inline SVG: no image has to be loaded, so a merchant's `img-src` does not matter. */
export function drawQrCode(content: string, label: string): SVGElement {
  const { data, size } = encode(content, { ecc: 'M', border: quietZone })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return svg(
    'svg',
    { viewBox: `0 0 ${size} ${size}`, part: 'qr', class: 'qr', role: 'img', 'aria-label': label },
    svg('path', { fill: '#fff', d: `M0 0h${size}v${size}h-${size}z` }),
    svg('path', { fill: '#000', d: path, 'shape-rendering': 'crispEdges' }),
  )
}
