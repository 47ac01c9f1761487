/** All rules of the element. Logical properties only, so that it also works from right to left. */
const rules = `
:host {
  --surface: #fff; --ink: #1d1f2b; --soft: #5b5f6e; --line: #e3e1db; --edge: #878b98; --tint: #f6f4ef;
  --good: #1c6b44; --bad: #a2291f; --wait: #74500a; --blue: #2f4a9e;
  display: block; position: relative; box-sizing: border-box; inline-size: 100%; max-inline-size: 26rem; padding: 1.5rem;
  background: var(--surface); color: var(--ink); border: 1px solid var(--line);
  border-radius: calc(var(--vidimus-radius, 10px) * 1.6);
  font: 400 1rem/1.5 var(--vidimus-font, ui-sans-serif, system-ui, sans-serif); text-align: start;
}
:host([hidden]) { display: none }
:host([theme='light']) { color-scheme: light }
:host([theme='dark']) { color-scheme: dark }
@supports (color: light-dark(red, red)) {
  :host {
    --surface: light-dark(#fff, #1a1d26); --ink: light-dark(#1d1f2b, #f1efea); --soft: light-dark(#5b5f6e, #b0b5c2);
    --line: light-dark(#e3e1db, #363b48); --edge: light-dark(#878b98, #868c9b); --tint: light-dark(#f6f4ef, #242833);
    --good: light-dark(#1c6b44, #8fdbb0); --bad: light-dark(#a2291f, #ffb0a6); --wait: light-dark(#74500a, #f0c67a);
    --blue: light-dark(#2f4a9e, #a9c0ff);
  }
}
.root { --brand: var(--vidimus-accent, var(--merchant, var(--blue))) }
.view, .code, .status, .panel { display: flex; flex-direction: column; align-items: center; gap: .875rem; outline: none }
.view { align-items: stretch }
* { box-sizing: border-box; margin: 0; overflow-wrap: anywhere }
.title { font-size: 1.125rem; line-height: 1.35; font-weight: 650; text-align: center; text-wrap: balance; outline: none }
.soft { color: var(--soft); font-size: .9375rem; text-align: center; text-wrap: pretty }
.who { display: flex; flex-direction: column; text-align: center; padding-block-end: .25rem }
.who span { color: var(--soft) }
.test { font-size: .875rem; text-align: center; color: var(--wait); font-weight: 600 }
.note { font-size: .9375rem; padding: .625rem .875rem; border-radius: var(--vidimus-radius, 10px); background: var(--tint); text-align: center; text-wrap: pretty }
.panel { padding: 1rem; border-radius: var(--vidimus-radius, 10px); background: var(--tint); gap: .375rem; text-align: center; text-wrap: pretty }
.button, .text {
  display: flex; align-items: center; justify-content: center; min-block-size: 44px; min-inline-size: 44px;
  font: inherit; text-align: center; cursor: pointer; -webkit-tap-highlight-color: transparent;
}
.button {
  min-block-size: 52px; padding: .75rem 1.25rem; border-radius: var(--vidimus-radius, 10px); font-weight: 600; text-decoration: none;
  background: transparent; color: var(--ink); border: 1px solid var(--edge);
}
.button.primary { background: var(--brand); color: var(--on-brand, white); border-color: var(--brand-edge, transparent) }
.text {
  padding: .25rem .5rem; background: none; border: 0; border-radius: var(--vidimus-radius, 10px); font-size: .9375rem;
  color: var(--brand-text, var(--brand)); text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: .2em;
}
.view > .text { align-self: center }
.button:disabled, .button[aria-disabled] { cursor: default; opacity: .6 }
:is(.button, .text, input, select):focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
@media (hover: hover) {
  .button:not(.primary, :disabled):hover { background: var(--tint) }
  .button.primary:not(:disabled, [aria-disabled]):hover { filter: brightness(1.08) }
  .text:hover { text-decoration-thickness: 2px }
}
.code { gap: .5rem }
.button ~ .code { border-block-start: 1px solid var(--line); padding-block-start: 1.25rem; margin-block-start: .25rem }
.qr { display: block; inline-size: 100%; max-inline-size: 17rem; margin-block: .5rem; border-radius: var(--vidimus-radius, 10px); forced-color-adjust: none; border: 1px solid var(--line) }
.code .note { inline-size: 100% }
.alternatives { display: flex; flex-wrap: wrap; justify-content: center; column-gap: .5rem }
.by-hand { display: block; font-size: .9375rem; text-align: center; inline-size: 100% }
input, select { inline-size: 100%; min-block-size: 44px; margin-block-start: .375rem; padding: .25rem .75rem; font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--edge); border-radius: var(--vidimus-radius, 10px) }
.status { padding-block: 1rem .5rem; gap: .5rem }
.icon { inline-size: 3.25rem; block-size: 3.25rem; padding: .5rem; border-radius: 50%; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; background: var(--tint); color: var(--soft); margin-block-end: .375rem }
.icon.tick { color: var(--good) }
.icon.cross { color: var(--bad) }
.icon.clock { color: var(--wait) }
.spinner { inline-size: 2.5rem; block-size: 2.5rem; margin-block-end: .5rem; border: 3px solid var(--line); border-block-start-color: var(--brand-text, var(--brand)); border-radius: 50% }
@media (prefers-reduced-motion: no-preference) { .spinner { animation: turn 1s linear infinite } }
@keyframes turn { to { rotate: 1turn } }
.time { margin-block-start: .875rem; text-align: center; font-size: .9375rem; color: var(--wait); font-variant-numeric: tabular-nums }
.live { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
[hidden] { display: none }
`

let sheet: CSSStyleSheet | undefined

/** A constructed style sheet is not an inline style, so a merchant's `style-src` does not apply to it. */
export function adoptStyles(root: ShadowRoot): void {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(rules)
  }
  root.adoptedStyleSheets = [sheet]
}
