import { useMemo } from 'react'
import { encode } from 'uqr'

/** Dark on white in both themes, with a quiet zone, as scanners expect. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { ecc: 'M', border: 3 })
    const cells = code.data.flatMap((row, y) =>
      row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
    )
    return { size: code.size, path: cells.join('') }
  }, [text])
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
