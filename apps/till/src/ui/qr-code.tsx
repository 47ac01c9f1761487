import { useMemo } from 'react'
import { drawQrPath } from '@vidimus/qr-code'

/** Black on white in both themes, with a margin: codes on a dark ground without one are not read. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawQrPath(text), [text])
  return (
    <svg
      role="img"
      aria-label={label}
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
