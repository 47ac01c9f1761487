import { encode } from 'uqr'
import { escapeHtml } from '../platform/html.ts'

/** The quiet zone that ISO/IEC 18004 asks for, in modules. */
const quietZone = 4

/** A QR code as SVG: dark on white in both colour schemes. */
export function renderQrCode(text: string, label: string): string {
  const { size, data } = encode(text, { ecc: 'M', border: quietZone })
  return [
    `<svg class="qr" role="img" aria-label="${escapeHtml(label)}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${data.map(drawRow).join('')}"/>`,
    '</svg>',
  ].join('')
}

/** Neighbouring dark cells become one rectangle, which halves the size of the page. */
function drawRow(row: readonly boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; x += 1) {
    if (row[x] !== true) continue
    const start = x
    while (row[x + 1] === true) x += 1
    const width = x - start + 1
    path += `M${start} ${y}h${width}v1h-${width}z`
  }
  return path
}
