import ts from 'typescript'

/** Attributes whose strings no person reads. */
const technicalAttributes = new Set([
  'accept',
  'align',
  'autoComplete',
  'className',
  'd',
  'download',
  'fill',
  'form',
  'from',
  'height',
  'href',
  'id',
  'inputMode',
  'key',
  'kind',
  'lang',
  'list',
  'media',
  'method',
  'name',
  'op',
  'permission',
  'preserveAspectRatio',
  'rel',
  'role',
  'rx',
  'scope',
  'shapeRendering',
  'side',
  'size',
  'src',
  'strokeLinecap',
  'strokeLinejoin',
  'swipeDirection',
  'target',
  'textAnchor',
  'to',
  'tone',
  'transform',
  'type',
  'value',
  'variant',
  'viewBox',
  'width',
])
/** Attributes of that kind which a component shows all the same: `<Fact name="Owner">`. */
const shownNames = new Set(['Fact', 'Figure'])
/** Components whose `text` is code, a link or a secret. */
const codeComponents = new Set(['CodeBlock', 'Copyable', 'CopyButton', 'QrCode'])
/** Elements with code, which is the same in every language. */
const codeElements = new Set(['code', 'kbd', 'pre'])
/** Members of objects that describe what is shown. */
const shownMembers = new Set([
  'caption',
  'description',
  'error',
  'hint',
  'label',
  'linkText',
  'message',
  'note',
  'placeholder',
  'text',
  'title',
])

/** Finds texts for people in the source of a component, which belong into the catalogue. */
export function findHardCodedTexts(fileName: string, source: string): string[] {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found: string[] = []
  const report = (node: ts.Node, text: string) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
    found.push(`${fileName}:${line + 1} ${text.trim()}`)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && hasWord(node.text) && !isInCode(node)) report(node, node.text)
    if (ts.isJsxAttribute(node) && isShownAttribute(node, file))
      for (const text of stringsShownBy(node.initializer)) report(node, text)
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent) && !isInCode(node))
      for (const text of stringsShownBy(node)) report(node, text)
    if (ts.isPropertyAssignment(node) && shownMembers.has(node.name.getText(file)))
      for (const text of stringsShownBy(node.initializer)) report(node, text)
    if (isStringNode(node) && isSentence(textOf(node)) && !isForDevelopers(node)) report(node, textOf(node))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return [...new Set(found)]
}

function isShownAttribute(attribute: ts.JsxAttribute, file: ts.SourceFile): boolean {
  const name = attribute.name.getText(file)
  const element = attribute.parent.parent.tagName.getText(file)
  if (name === 'name' && shownNames.has(element)) return true
  if (name === 'text' && codeComponents.has(element)) return false
  return (
    !technicalAttributes.has(name) &&
    (!name.startsWith('aria-') || name === 'aria-label') &&
    !name.startsWith('data-')
  )
}

/** The strings that an expression can have as its value. */
function stringsShownBy(node: ts.Node | undefined): string[] {
  if (node === undefined) return []
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) return stringsShownBy(node.expression)
  if (ts.isConditionalExpression(node))
    return [...stringsShownBy(node.whenTrue), ...stringsShownBy(node.whenFalse)]
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.kind
    if (operator === ts.SyntaxKind.AmpersandAmpersandToken) return stringsShownBy(node.right)
    const isAlternative =
      operator === ts.SyntaxKind.BarBarToken || operator === ts.SyntaxKind.QuestionQuestionToken
    return isAlternative ? [...stringsShownBy(node.left), ...stringsShownBy(node.right)] : []
  }
  return isStringNode(node) && hasWord(textOf(node)) ? [textOf(node)] : []
}

type StringNode = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression

function isStringNode(node: ts.Node): node is StringNode {
  return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)
}

/** The fixed part of a string. */
function textOf(node: StringNode): string {
  if (!ts.isTemplateExpression(node)) return node.text
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('\u{fffc}')
}

/** Whether a string has a word in it. A URL, a key, a camelCase name or an example of an id has none, and units and names are the same everywhere. */
function hasWord(text: string): boolean {
  if (/^\S+$/.test(text) && /[/_:=]|\p{Ll}\p{Lu}/u.test(text)) return false
  const words = text.match(/\p{Letter}{2,}/gu) ?? []
  return words.some((word) => !['kB', 'ms', 'min', 'UTC', 'Vidimus'].includes(word))
}

/** Two words or more that begin with a capital letter, or several that end like a sentence. */
function isSentence(text: string): boolean {
  return /^[\p{Lu}“„].*\p{Ll}.*\s\p{Letter}{2,}/u.test(text) || /^\p{Letter}.*\s.*\p{Ll}[.?!…]$/u.test(text)
}

/** An error for developers, or a comment for the linter. */
function isForDevelopers(node: ts.Node): boolean {
  const parent = node.parent
  return ts.isNewExpression(parent) && ts.isThrowStatement(parent.parent)
}

function isInCode(node: ts.Node): boolean {
  const { parent } = node
  return ts.isJsxElement(parent) && codeElements.has(parent.openingElement.tagName.getText())
}
