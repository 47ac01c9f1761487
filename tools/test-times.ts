import { readFileSync, readdirSync } from 'node:fs'
import { relative } from 'node:path'

/** `npm run test:times`, after `.ci/run` or `.ci/all`: where the time went, by phase and by test file. */
const shownFiles = 25

type Results = {
  testResults: { name: string; startTime: number; endTime: number; assertionResults: unknown[] }[]
}

const phases = readFileSync('.results/phases.tsv', 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t'))
  .map(([name = '', ...times]) => ({ name, times: times.map(Number) }))

console.log('phase            wall     CPU waiting  (seconds)')
for (const { name, times } of [...phases, { name: 'all', times: sumTimes() }]) {
  const [wall = 0, user = 0, system = 0] = times
  // Several processes at a time use more CPU than time passes.
  const waiting = Math.max(0, wall - user - system)
  console.log(`${name.padEnd(12)}${column(wall)}${column(user + system)}${column(waiting)}`)
}

const files = readdirSync('.results')
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => (JSON.parse(readFileSync(`.results/${name}`, 'utf8')) as Results).testResults)
  .map(({ name, startTime, endTime, assertionResults }) => ({
    file: relative('.', name),
    seconds: (endTime - startTime) / 1000,
    tests: assertionResults.length,
  }))
  .toSorted((a, b) => b.seconds - a.seconds)

console.log('\n seconds   tests  file (files run beside each other)')
for (const { file, seconds, tests } of files.slice(0, shownFiles))
  console.log(`${column(seconds)}${String(tests).padStart(8)}  ${file}`)

function sumTimes(): number[] {
  return [0, 1, 2].map((index) => phases.reduce((sum, { times }) => sum + (times[index] ?? 0), 0))
}

function column(seconds: number): string {
  return seconds.toFixed(1).padStart(8)
}
