import { drawQrPath } from '@vidimus/qr-code'
import { svg } from './dom.ts'

/** A QR code as inline SVG: no image has to be loaded, so a merchant's `img-src` does not matter. */
export function drawQrCode(content: string, label: string): SVGElement {
  const { size, path } = drawQrPath(content)
  return svg(
    'svg',
    { viewBox: `0 0 ${size} ${size}`, part: 'qr', class: 'qr', role: 'img', 'aria-label': label },
    svg('path', { fill: '#fff', d: `M0 0h${size}v${size}h-${size}z` }),
    svg('path', { fill: '#000', d: path, 'shape-rendering': 'crispEdges' }),
  )
}
