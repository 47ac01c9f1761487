import { useMemo } from 'react'
import { drawQrPath } from '@vidimus/qr-code'

/** Dark on white in both themes, as scanners expect. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawQrPath(text), [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-full rounded-md bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
