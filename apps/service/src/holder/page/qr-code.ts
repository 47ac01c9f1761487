import { drawQrPath } from '@vidimus/qr-code'
import { escapeHtml } from '../../engine/formats/index.ts'

/** A QR code as SVG: dark on white in both colour schemes. */
export function renderQrCode(text: string, label: string): string {
  const { size, path } = drawQrPath(text)
  return [
    `<svg class="qr" role="img" aria-label="${escapeHtml(label)}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/>`,
    '</svg>',
  ].join('')
}
