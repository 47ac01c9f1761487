import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findHardCodedTexts } from './find-hard-coded-texts.ts'

const source = new URL('../../apps/dashboard/src/', import.meta.url)
/** Folders whose texts are still in the components. */
const notConverted = new Set<string>([])

test('no component has a text of its own', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /\.tsx?$/.test(path) &&
      !/\.test\.ts$|^(?:console\/)?texts\//.test(path) &&
      !notConverted.has(path.split('/')[0] ?? ''),
  )
  expect(files.length).toBeGreaterThan(20)
  expect(
    files.flatMap((path) => findHardCodedTexts(path, readFileSync(new URL(path, source), 'utf8'))),
  ).toEqual([])
})

test('texts are found in elements, attributes, conditions, templates and objects', () => {
  const find = (code: string) =>
    findHardCodedTexts('a.tsx', code).map((found) => found.replace('a.tsx:1 ', ''))
  expect(find('const a = <p>Sign out</p>')).toEqual(['Sign out'])
  expect(find('const a = <Button label="Close" className="flex" />')).toEqual(['Close'])
  expect(find('const a = <i aria-label={`Revoke ${name}`} aria-describedby="hint" />')).toEqual([
    'Revoke \u{fffc}',
  ])
  expect(find("const a = <p>{paired ? 'Paired' : ''}</p>")).toEqual(['Paired'])
  expect(find("const a = <p>{open && 'yes'}</p>")).toEqual(['yes'])
  expect(find("const columns = [{ title: 'Name' }]")).toEqual(['Name'])
  expect(find("showToast('Brand saved.')")).toEqual(['Brand saved.'])
  expect(find('const a = <Fact name="Owner">{owner}</Fact>')).toEqual(['Owner'])
})

test('code, class names, technical attributes and errors for developers are no texts', () => {
  const clean = [
    'const a = <code>vidimus admin member invite</code>',
    'const a = <p className="text-soft">{text.title}, {count} s</p>',
    "const a = <Time at={at} form={utc ? 'exact' : 'day'} />",
    "throw new Error('The page has no #root element.')",
    "const colours = { good: 'bg-good-tint text-good' }",
    "import { b } from './b.ts'",
  ]
  expect(clean.flatMap((code) => findHardCodedTexts('a.tsx', code))).toEqual([])
})
