import { contrastOf, parseColour, textOn, type Rgb } from './contrast.ts'

/** What text needs against its background, and the outline of a button against its own (WCAG 2.2, 1.4.3 and 1.4.11). */
const textContrast = 4.5
const shapeContrast = 3

/**
 * Uses the accent colour, which is the merchant's choice, only where it can be read: the text on it is white or black, and text in it falls back
 * to the normal colour.
 */
export function applyColours(root: HTMLElement, brand: string | undefined): void {
  if (brand !== undefined && CSS.supports('color', brand)) root.style.setProperty('--brand', brand)
  else root.style.removeProperty('--brand')
  const accent = readColour(root, 'var(--accent)')
  const surface = readColour(root, 'var(--surface)')
  set(root, '--on-accent', accent === undefined ? undefined : textOn(accent))
  const contrast = accent === undefined || surface === undefined ? undefined : contrastOf(accent, surface)
  set(root, '--accent-text', contrast === undefined || contrast >= textContrast ? undefined : 'var(--ink)')
  set(root, '--button-edge', contrast === undefined || contrast >= shapeContrast ? undefined : 'var(--edge)')
}

function set(root: HTMLElement, property: string, value: string | undefined): void {
  if (value === undefined) root.style.removeProperty(property)
  else root.style.setProperty(property, value)
}

/** Mixing a colour with itself makes the browser compute sRGB, whatever notation it was given in. */
function readColour(root: HTMLElement, colour: string): Rgb | undefined {
  const probe = document.createElement('span')
  probe.style.color = colour
  const mixed = `color-mix(in srgb, ${colour}, ${colour})`
  if (CSS.supports('color', 'color-mix(in srgb, red, red)')) probe.style.color = mixed
  root.append(probe)
  const computed = getComputedStyle(probe).color
  probe.remove()
  return parseColour(computed)
}
