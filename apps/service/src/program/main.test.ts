import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runCommand } from '../../test/processes/run-command.ts'
import { runProgram } from '../../test/processes/run-program.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

test.each(['--version', '-v', 'tenant create --version'])('`vidimus %s` prints the version', async (args) => {
  expect(await runProgram(args.split(' '), {})).toEqual({
    status: 0,
    stdout: `vidimus ${version}\n`,
    stderr: '',
  })
})

test('--help and -h list the commands, and so does the program without arguments', async () => {
  const [long, short, none] = await Promise.all([['--help'], ['-h'], []].map((args) => runProgram(args, {})))
  expect(long?.stdout).toMatch(/^vidimus <command> \[options\]\n\n {2}migrate /)
  expect(long?.stdout.match(/^ {2}\w/gm)?.length).toBeGreaterThan(30)
  expect(long).toMatchObject({ status: 0, stderr: '' })
  expect([short, none]).toEqual([long, long])
})

test.each([
  ['listen --help', 'vidimus listen [options]'],
  ['listen -h', 'vidimus listen [options]'],
  ['help listen', 'vidimus listen [options]'],
  ['--help listen', 'vidimus listen [options]'],
  ['tenant create --name x --help', 'vidimus tenant create [options]'],
  ['wallet respond --help', 'vidimus wallet respond WALLET_URI [options]'],
  ['tenant --help', 'vidimus tenant <command> [options]'],
  ['help tenant', 'vidimus tenant <command> [options]'],
  ['tenant', 'vidimus tenant <command> [options]'],
])('`vidimus %s` explains it, without any configuration', async (args, first) => {
  const { status, stdout, stderr } = await runCommand(args.split(' '), {})
  expect([status, stdout.split('\n')[0], stderr]).toEqual([0, first, ''])
})

test.each([
  ['lisen', 'Unknown command: lisen. Did you mean listen? Run `vidimus help` for a list.'],
  [
    'tenant creat',
    'Unknown command: tenant creat. Did you mean tenant create? Run `vidimus help` for a list.',
  ],
  ['something', 'Unknown command: something. Run `vidimus help` for a list.'],
  ['help tenant nothing', 'Unknown command: tenant nothing. Run `vidimus help` for a list.'],
])('`vidimus %s` is refused in a line', async (args, message) => {
  const refused = { status: 2, stdout: '', stderr: `${message}\n` }
  expect(await runCommand(args.split(' '), {})).toEqual(refused)
})

test('what runs in the process of a test has the exit status and the output of a process', async () => {
  const runs = [['--version'], ['help', 'tenant'], ['tenant', 'create'], ['tenant', 'list'], ['lisen']]
  const environment = { MASTER_KEY: 'short' }
  const results = await Promise.all(runs.map((args) => runCommand(args, environment)))

  expect(results.map(({ status }) => status)).toEqual([0, 0, 2, 1, 2])
  expect(results).toEqual(await Promise.all(runs.map((args) => runProgram(args, environment))))
  expect(process.env['MASTER_KEY']).toBeUndefined()
})

test('a reader that has enough ends a command without a stack', () => {
  const script = '"$0" apps/service/src/main.ts wallet faults | true; echo "${PIPESTATUS[0]}"'
  const { stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath], { encoding: 'utf8' })

  expect([stdout, stderr]).toEqual(['141\n', ''])
})
