/** The kinds of tokens that the style sheet colours, each with its TextMate scopes. */
const kinds = {
  comment: ['comment', 'punctuation.definition.comment'],
  string: ['string', 'punctuation.definition.string'],
  keyword: ['keyword', 'storage', 'entity.name.tag', 'entity.name.command', 'support.function.builtin'],
  option: [
    'constant.other.option',
    'variable.other.normal.shell',
    'support.type.property-name',
    'entity.other.attribute-name',
    'entity.name.function',
  ],
  literal: ['constant.language', 'constant.numeric'],
}

/** A theme whose colours are the names of the kinds, which `stylesToClasses` turns into classes. The style sheet has a light and a dark colour for each. */
export const codeTheme = {
  name: 'vidimus',
  type: 'light' as const,
  fg: 'var(--vp-code-block-color)',
  bg: 'var(--vp-code-block-bg)',
  settings: Object.entries(kinds).map(([name, scope]) => ({
    scope,
    settings: { foreground: `var(--t-${name})` },
  })),
}

type Element = { properties: { style?: unknown; class?: unknown } }

/** Turns the style of each token into a class, because the content security policy allows no inline styles. */
export const stylesToClasses = {
  span({ properties }: Element): void {
    const kind = /--(t-\w+)/.exec(String(properties.style))?.[1]
    delete properties.style
    if (kind !== undefined) properties.class = kind
  },
  pre({ properties }: Element): void {
    delete properties.style
  },
}
