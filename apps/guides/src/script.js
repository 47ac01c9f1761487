// Copy buttons and search of the guides. The pages work without this script; it adds nothing from another origin.

for (const figure of document.querySelectorAll('figure')) {
  const code = figure.querySelector('pre code')
  if (code === null || navigator.clipboard === undefined) continue
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  const label = (text) => () => (button.textContent = text)
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(code.textContent).then(label('Copied'), label('Not copied'))
    setTimeout(label('Copy'), 2000)
  })
  figure.append(button)
}

const maxResults = 12
const form = document.querySelector('form[role=search]')
const input = form.querySelector('input')
const list = form.querySelector('[role=listbox]')
const status = form.querySelector('[role=status]')
let entries
let selected = -1

form.hidden = false
form.addEventListener('submit', (event) => {
  event.preventDefault()
  open(list.children[Math.max(selected, 0)])
})
list.addEventListener('mousedown', (event) => open(event.target.closest('[role=option]')))
input.addEventListener('focus', () => void load())
input.addEventListener('input', () => void show())
input.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step !== undefined && list.children.length > 0) {
    event.preventDefault()
    select((selected + step + list.children.length) % list.children.length)
  }
  if (event.key === 'Escape') close()
})
form.addEventListener('focusout', (event) => {
  if (!form.contains(event.relatedTarget)) close()
})
document.addEventListener('keydown', (event) => {
  const typing = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
  const isShortcut = (event.key === '/' && !typing) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
  if (!isShortcut) return
  event.preventDefault()
  input.focus()
})

/** Loaded when the reader first wants to search. */
function load() {
  // oxlint-disable-next-line no-restricted-globals -- it runs in the reader's browser
  entries ??= fetch('/docs/search.json')
    .then((response) => response.json())
    .catch(() => {
      entries = undefined
      return []
    })
  return entries
}

async function show() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return close()
  const found = (await load())
    .map((entry) => ({ entry, score: rate(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxResults)
  list.replaceChildren(...found.map(({ entry }, index) => toOption(entry, index)))
  list.hidden = found.length === 0
  input.setAttribute('aria-expanded', String(found.length > 0))
  status.textContent = found.length === 0 ? 'Nothing found' : `${found.length} results`
  select(-1)
}

/** Every word must occur. Headings count more than text, and the start of a word more than its middle. */
function rate({ title, section, text }, words) {
  let score = 0
  for (const word of words) {
    const points = 8 * find(section || title, word) + 4 * find(title, word) + find(text, word)
    if (points === 0) return 0
    score += points
  }
  return score
}

function find(text, word) {
  const at = text.toLowerCase().indexOf(word)
  if (at < 0) return 0
  return at === 0 || /\W/.test(text[at - 1]) ? 2 : 1
}

function toOption({ title, section, url, text }, index) {
  const option = document.createElement('li')
  option.role = 'option'
  option.id = `found-${index}`
  option.dataset.url = url
  const name = document.createElement('strong')
  name.textContent = section === '' ? title : section
  const place = document.createElement('span')
  place.textContent = section === '' ? text.slice(0, 90) : title
  option.append(name, place)
  return option
}

function open(option) {
  if (option) location.assign(option.dataset.url)
}

function select(index) {
  selected = index
  for (const [place, option] of [...list.children].entries())
    option.setAttribute('aria-selected', String(place === index))
  if (index < 0) input.removeAttribute('aria-activedescendant')
  else {
    input.setAttribute('aria-activedescendant', `found-${index}`)
    list.children[index].scrollIntoView({ block: 'nearest' })
  }
}

function close() {
  list.hidden = true
  list.replaceChildren()
  status.textContent = ''
  input.setAttribute('aria-expanded', 'false')
  selected = -1
}
