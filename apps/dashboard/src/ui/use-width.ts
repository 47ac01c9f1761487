import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** The width of an SVG. A chart draws at this width instead of scaling, so that text has the same size on a phone. */
export function useWidth(): [RefObject<SVGSVGElement | null>, number] {
  const svg = useRef<SVGSVGElement>(null)
  const [width, setWidth] = useState(720)
  useLayoutEffect(() => {
    if (svg.current === null) return undefined
    const observer = new ResizeObserver(([entry]) => entry !== undefined && setWidth(entry.contentRect.width))
    observer.observe(svg.current)
    return () => observer.disconnect()
  }, [])
  return [svg, width]
}
