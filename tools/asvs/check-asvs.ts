import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { titleIds } from '../requirements/title-ids.ts'
import { asvsRequirements } from './requirement-numbers.ts'

const states = ['met', 'by design', 'operator', 'partly', 'not met', 'does not apply']
const row = /^\| (V[\dV., ]+) \| ([a-z ]+) \| (.+) \| (.*) \|$/gm
const token = /\[[^\]]+\]\((?<file>[^)]+\.test\.ts)\)|\[(?<id>[A-Z0-9]+-\d+)\]/g

/** What is wrong with the page about ASVS: a requirement that is missing or there twice, an unknown state, a proof that does not exist, wrong sums. */
export function checkAsvs(document: string, folder: string): string[] {
  const rows = [...document.matchAll(row)].map(([, ids = '', state = '', , tests = '']) => ({
    ids: ids.split(', '),
    state,
    tests,
  }))
  const listed = rows.flatMap(({ ids }) => ids)
  const sums = new Map<string, number>()
  for (const { ids, state } of rows) sums.set(state, (sums.get(state) ?? 0) + ids.length)
  return [
    ...asvsRequirements.filter((id) => !listed.includes(id)).map((id) => `${id} is missing`),
    ...listed.filter((id) => !asvsRequirements.includes(id)).map((id) => `${id} is not of level 1 or 2`),
    ...listed.filter((id, index) => listed.indexOf(id) !== index).map((id) => `${id} is there twice`),
    ...rows.flatMap(({ ids, state, tests }) =>
      checkRow(state, tests, folder).map((problem) => `${ids[0]}: ${problem}`),
    ),
    ...states
      .filter((state) => !document.includes(`| ${state} | ${sums.get(state) ?? 0} |`))
      .map(
        (state) => `"${state}" is the state of ${sums.get(state) ?? 0}, which the first table does not say`,
      ),
  ]
}

function checkRow(state: string, tests: string, folder: string): string[] {
  if (!states.includes(state)) return [`unknown state "${state}"`]
  if (state === 'met' && tests === '') return ['met, but no test is named']
  let text: string | undefined
  return [...tests.matchAll(token)].flatMap(({ groups }) => {
    const { file, id = '' } = groups ?? {}
    if (file === undefined)
      return text !== undefined && titleIds(text).includes(id)
        ? []
        : [`${id} is in no title of the file before it`]
    const path = posix.join(folder, file)
    text = existsSync(path) ? readFileSync(path, 'utf8') : undefined
    return text === undefined ? [`${path} does not exist`] : []
  })
}
