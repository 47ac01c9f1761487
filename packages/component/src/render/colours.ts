import { deriveBrand, type Rgb } from '@vidimus/tokens'

/** The merchant's choice, in any notation of CSS, is used only where it can be read. */
export function applyColours(root: HTMLElement, brand: string | undefined): void {
  set(root, '--merchant', brand !== undefined && CSS.supports('color', brand) ? brand : undefined)
  const colour = readColour(root, 'var(--brand)')
  const surface = readColour(root, 'var(--surface)')
  if (colour === undefined || surface === undefined) return
  for (const [name, value] of Object.entries(deriveBrand(colour, surface))) set(root, name, value)
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

/** Reads `rgb(…)`, and the `color(srgb …)` that `color-mix` computes to. Undefined for anything else, and for what is not opaque. */
export function parseColour(computed: string): Rgb | undefined {
  const [, kind, list] = /^(rgba?|color)\((?:srgb )?([^)]*)\)$/.exec(computed) ?? []
  if (kind === undefined || list === undefined) return undefined
  const numbers = list.split(/[\s,/]+/).map(Number)
  const [red, green, blue, alpha = 1] = numbers
  if (red === undefined || green === undefined || blue === undefined) return undefined
  if (numbers.some(Number.isNaN) || alpha < 1) return undefined
  return kind === 'color' ? [red, green, blue] : [red / 255, green / 255, blue / 255]
}
