// oxlint-disable-next-line typescript/triple-slash-reference -- the page compiles this file without the other declarations
/// <reference path="./css.d.ts" />
import tokens from '@vidimus/tokens/tokens.css'
import component from './component.css'
import parts from './parts.css'

let sheet: CSSStyleSheet | undefined

/** A constructed style sheet is not an inline style, so a merchant's `style-src` does not apply to it. */
export function adoptStyles(root: ShadowRoot): void {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(tokens.replaceAll(':root', ':host') + parts + component)
  }
  root.adoptedStyleSheets = [sheet]
}
